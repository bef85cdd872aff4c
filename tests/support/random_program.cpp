#include "support/random_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "meshmul/dtype.hpp"
#include "support/chooser.hpp"

namespace meshmul::testing {
namespace {

double exact_up_to(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return 0x1p53;
    case Dtype::kF32: return 0x1p24;
    case Dtype::kI32: return 0x1p31 - 1;
    case Dtype::kF16: return 2048;
    case Dtype::kBf16: return 256;
    case Dtype::kF8e4m3: return 16;
    case Dtype::kI8: return 127;
  }
  return 0;
}

/// What the text knows by a name.
struct Known {
  std::string name;
  std::vector<std::string> dims;
  Dtype dtype = Dtype::kF64;
  double most = 1;  ///< no element is larger
};

class ProgramWriter {
 public:
  explicit ProgramWriter(std::mt19937_64& random) : choose_(random) {
    mesh_ = choose_.percent(50) ? Mesh{{"X", choose_.between(1, 5)}}
                                : Mesh{{"X", choose_.between(2, 3)}, {"Y", choose_.between(1, 3)}};
    for (const char* index : {"B", "D", "F", "E"}) sizes_[index] = choose_.percent(10) ? 1 : choose_.between(2, 9);
  }

  MeshProgram write() {
    const Dtype dtype = choose_.percent(40) ? Dtype::kF64 : choose_.one_of(kAllDtypes);
    known_.push_back(given("X", {"B", "D"}, dtype));
    const bool has_loop = exact_up_to(dtype) >= 0x1p24 && choose_.percent(60);
    for (std::int64_t i = choose_.between(has_loop ? 0 : 1, 3); i > 0; --i) add_line("");
    if (has_loop) add_loop();
    for (std::int64_t i = choose_.between(0, 2); i > 0; --i) add_line("");
    if (lines_.empty()) add_relu("");
    return {mesh_, declarations_ + lines_};
  }

 private:
  std::string fresh(const char* letter) { return fmt::format("{}{}", letter, ++names_); }

  /// `[B=4_X, D]{U_Y}`, or `[B, D]?`. With `layers` a first index that a loop walks.
  std::string dims(const std::vector<std::string>& indices, bool may_be_partial, const std::string& layers = "") {
    std::vector<std::string> axes(indices.size());
    std::string partial;
    for (const MeshAxis& axis : mesh_.axes()) {
      const std::int64_t dim = choose_.between(0, static_cast<std::int64_t>(indices.size()));
      if (dim < static_cast<std::int64_t>(indices.size()))
        axes[static_cast<std::size_t>(dim)] += axis.name;
      else if (may_be_partial && choose_.percent(15))
        partial += axis.name;
    }
    const bool is_open = choose_.percent(25);
    std::vector<std::string> texts;
    if (!layers.empty()) texts.push_back(layers);
    for (std::size_t d = 0; d < indices.size(); ++d)
      texts.push_back(
          fmt::format("{}={}{}", indices[d], sizes_[indices[d]], is_open || axes[d].empty() ? "" : "_" + axes[d]));
    const std::string end = is_open ? "?" : partial.empty() ? "" : "{U_" + partial + "}";
    return fmt::format("[{}]{}", fmt::join(texts, ", "), end);
  }

  Known given(const std::string& name, const std::vector<std::string>& indices, Dtype dtype,
              const std::string& layers = "") {
    declarations_ += fmt::format("{} {}{}\n", meshmul::name(dtype), name, dims(indices, false, layers));
    return {name, indices, dtype, 1};
  }

  /// For products alone; perhaps with partial sums.
  void add_weight(const std::string& name, const std::vector<std::string>& indices, Dtype dtype) {
    declarations_ += fmt::format("{} {}{}\n", meshmul::name(dtype), name, dims(indices, true));
  }

  /// A result: cut in any way, or left to the planner.
  std::string made(const std::string& name, const std::vector<std::string>& indices) {
    return choose_.percent(50) ? name : name + dims(indices, false);
  }

  void remember(Known known) { known_.push_back(std::move(known)); }

  void add_line(const std::string& indent) {
    switch (choose_.between(0, 6)) {
      case 0:
      case 1:
      case 2: return add_product(indent);
      case 3: return add_relu(indent);
      case 4: return add_pair(indent);
      case 5: return add_vector(indent);
      default: return add_convert(indent);
    }
  }

  /// A known array by a new weight: one index is contracted, another one is new.
  void add_product(const std::string& indent) {
    const Known x = choose_.one_of(known_);
    std::vector<std::string> others;
    for (const auto& [index, size] : sizes_)
      if (std::ranges::find(x.dims, index) == x.dims.end()) others.push_back(index);
    if (x.dims.empty() || others.empty()) return;
    const std::string contracted = choose_.one_of(x.dims);
    const std::string added = choose_.one_of(others);
    Known result{fresh("P"), {}, product_dtype(x.dtype), 0};
    for (const std::string& index : x.dims)
      if (index != contracted) result.dims.push_back(index);
    result.dims.push_back(added);
    const double weight = static_cast<double>(mesh_.num_devices());
    result.most = x.most * weight * static_cast<double>(sizes_[contracted]);
    if (result.most > exact_up_to(result.dtype)) return;
    const std::string w = fresh("W");
    add_weight(w, {contracted, added}, x.dtype);
    const bool is_relu = choose_.percent(40);
    lines_ += fmt::format("{}{} = {}{} * {}{}\n", indent, made(result.name, result.dims), is_relu ? "relu(" : "",
                          x.name, w, is_relu ? ")" : "");
    remember(result);
  }

  void add_relu(const std::string& indent) {
    Known result = choose_.one_of(known_);
    const std::string source = result.name;
    result.name = fresh("R");
    lines_ += fmt::format("{}{} = relu({})\n", indent, made(result.name, result.dims), source);
    remember(result);
  }

  /// A sum or product of two arrays, or of one with itself.
  void add_pair(const std::string& indent) {
    const Known x = choose_.one_of(known_);
    std::vector<Known> alike;
    for (const Known& other : known_)
      if (other.dims == x.dims && other.dtype == x.dtype) alike.push_back(other);
    const Known y = choose_.one_of(alike);
    const bool adds = choose_.percent(50);
    Known result{fresh("S"), x.dims, x.dtype, adds ? x.most + y.most : x.most * y.most};
    if (result.most > exact_up_to(result.dtype)) return;
    lines_ += fmt::format("{}{} = {}({}, {})\n", indent, made(result.name, result.dims), adds ? "add" : "mul", x.name,
                          y.name);
    remember(result);
  }

  /// bias or scale by a new vector, or number.
  void add_vector(const std::string& indent) {
    const Known x = choose_.one_of(known_);
    const bool adds = choose_.percent(50);
    Known result{fresh("V"), x.dims, x.dtype, adds ? x.most + 1 : x.most};
    if (result.most > exact_up_to(result.dtype)) return;
    const bool is_number = x.dims.empty() || choose_.percent(15);
    const Known v =
        given(fresh("v"), is_number ? std::vector<std::string>{} : std::vector{choose_.one_of(x.dims)}, x.dtype);
    lines_ += fmt::format("{}{} = {}({}, {})\n", indent, made(result.name, result.dims), adds ? "bias" : "scale",
                          x.name, v.name);
    remember(result);
  }

  /// Another dtype, another order of dimensions.
  void add_convert(const std::string& indent) {
    const Known x = choose_.one_of(known_);
    Known result{fresh("C"), x.dims, choose_.one_of(kAllDtypes), x.most};
    if (result.most > exact_up_to(result.dtype)) result.dtype = x.dtype;
    if (choose_.percent(50)) std::ranges::reverse(result.dims);
    lines_ += fmt::format("{}{} {}{} = convert({})\n", indent, meshmul::name(result.dtype), result.name,
                          dims(result.dims, false), x.name);
    remember(result);
  }

  /// Layers that take an array of two dimensions and give one alike; all sums stay small: X enters by way of f64.
  void add_loop() {
    const std::int64_t layers = choose_.between(1, 3);
    const std::string walked = fmt::format("L={}", layers);
    const std::string carried = fresh("Z");
    const Known wide{carried, {"B", "D"}, Dtype::kF64, 0};
    std::vector<const Known*> possible;
    for (const Known& known : known_)
      if (known.dims == wide.dims) possible.push_back(&known);
    const Known source = *choose_.one_of(possible);
    double most = source.most;
    const auto size = [&](const char* index) { return static_cast<double>(sizes_[index]); };
    const bool is_gated = choose_.percent(40);
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      const double hidden = most * size("D");
      most = (is_gated ? hidden * hidden : hidden) * size("F") + 1;
    }
    if (most > exact_up_to(Dtype::kF64)) return;
    lines_ += fmt::format("f64 {}{} = convert({})\n", carried, dims(wide.dims, false), source.name);
    const std::string up = fresh("U");
    const std::string gate = fresh("G");
    const std::string down = fresh("D");
    const std::string bias = fresh("b");
    given(up, {"D", "F"}, Dtype::kF64, walked);
    if (is_gated) given(gate, {"D", "F"}, Dtype::kF64, walked);
    given(down, {"F", "D"}, Dtype::kF64, walked);
    const bool has_bias = choose_.percent(50);
    if (has_bias) given(bias, {"D"}, Dtype::kF64, walked);
    const std::string hidden = fresh("H");
    lines_ += "repeat L as l {\n";
    lines_ += fmt::format("  {} = relu({} * {}[l])\n", made(hidden, {"B", "F"}), carried, up);
    if (is_gated) {
      const std::string other = fresh("H");
      lines_ += fmt::format("  {} = {} * {}[l]\n", made(other, {"B", "F"}), carried, gate);
      lines_ += fmt::format("  {} = mul({}, {})\n", made(hidden, {"B", "F"}), hidden, other);
    }
    if (has_bias) {
      const std::string sum = fresh("Q");
      lines_ += fmt::format("  {} = {} * {}[l]\n", made(sum, {"B", "D"}), hidden, down);
      lines_ += fmt::format("  {0} = bias({1}, {2}[l]){3}\n", carried, sum, bias,
                            choose_.percent(50) ? " like " + carried : "");
    } else {
      lines_ += fmt::format("  {0} = {1} * {2}[l]{3}\n", carried, hidden, down,
                            choose_.percent(60) ? " like " + carried : "");
    }
    lines_ += "}\n";
    remember({carried, wide.dims, Dtype::kF64, most});
  }

  Chooser choose_;
  Mesh mesh_;
  std::map<std::string, std::int64_t> sizes_;
  std::vector<Known> known_;
  std::string declarations_, lines_;
  int names_ = 0;
};

}  // namespace

MeshProgram random_program(std::mt19937_64& random) { return ProgramWriter(random).write(); }

LowerOptions random_way(std::mt19937_64& random) {
  Chooser choose(random);
  LowerOptions way;
  way.algorithm = choose.one_of(algorithms());
  way.overlap.gather = choose.one_of(designs());
  way.overlap.reduce = choose.one_of(designs());
  way.overlap.chunks_per_shard = static_cast<int>(choose.between(1, 4));
  if (choose.percent(50)) way.overlap.rows_per_round = choose.between(1, 6);
  way.overlap.slots = static_cast<int>(choose.between(2, 4));
  if (choose.percent(30)) way.overlap.copy_bytes = 8 * choose.between(1, 40);
  way.overlap.copy_lanes = static_cast<int>(choose.between(1, 3));
  return way;
}

}  // namespace meshmul::testing
