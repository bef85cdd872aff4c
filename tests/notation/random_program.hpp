#pragma once
// Random programs over random meshes, for rapidcheck: texts in which every line may leave out what can be left out.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/dtype.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul::testing {

struct ProgramCase {
  Mesh mesh;
  std::string text;  ///< of a program all of whose sizes are known
};

inline void showValue(const ProgramCase& c, std::ostream& os) { os << "over " << c.mesh.str() << ":\n" << c.text; }

/// Writes a program line by line; only to be used inside rc::gen::exec.
class RandomProgram {
 public:
  ProgramCase make() {
    const int num_lines = pick(1, 5);
    known_.push_back(declare(some_indices(pick(0, 3)), any_dtype()));
    for (int line = 0; line < num_lines; ++line) {
      if (pick(0, 3) == 0)
        add_loop();
      else
        add_line(any(known_), fresh_name());
    }
    if (pick(0, 1) == 0) add_gradients();
    return {mesh_, text_};
  }

 private:
  struct Array {
    std::string name;
    Dtype dtype = Dtype::kF32;
    std::vector<std::string> indices;
    std::set<std::string> origins = {};  // declared arrays of floats that it is computed from
    bool is_given = false;
  };

  /// From `low` to `high`, both included.
  static int pick(int low, int high) { return *rc::gen::inRange(low, high + 1); }
  static bool coin() { return pick(0, 1) == 1; }

  template <class T>
  static T any(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(pick(0, static_cast<int>(values.size()) - 1))];
  }
  template <class T>
  static std::vector<T> shuffled(std::vector<T> values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[static_cast<std::size_t>(pick(0, static_cast<int>(i) - 1))]);
    return values;
  }

  static Mesh any_mesh() { return any<Mesh>({Mesh{}, Mesh{{"X", 2}}, Mesh{{"X", 4}, {"data", 2}}}); }
  static Dtype any_dtype() { return any<Dtype>({std::begin(kAllDtypes), std::end(kAllDtypes)}); }
  static bool is_float(Dtype dtype) { return accumulator_of(dtype) != Dtype::kI32; }
  static std::vector<std::string> some_indices(int count) {
    std::vector<std::string> indices = shuffled<std::string>({"I", "J", "K", "row", "b2"});
    indices.resize(static_cast<std::size_t>(count));
    return indices;
  }
  static bool has(const std::vector<std::string>& indices, const std::string& index) {
    return std::find(indices.begin(), indices.end(), index) != indices.end();
  }

  std::string fresh_name() { return fmt::format("{}{}", any<std::string>({"A", "W", "half"}), ++num_names_); }

  /// Each mesh axis cuts one of the dimensions, or none, or holds partial sums; `uncut` dimensions at the front stay
  /// whole.
  std::string brackets(const std::vector<std::string>& indices, int uncut = 0) {
    std::vector<std::string> axes(indices.size());
    std::string partial;
    const bool is_open = pick(0, 2) == 0;
    for (int axis = 0; axis < mesh_.num_axes() && !is_open; ++axis) {
      const int dim = pick(uncut - 2, static_cast<int>(indices.size()) - 1);
      if (dim == uncut - 2) continue;
      std::string& names = dim < uncut ? partial : axes[static_cast<std::size_t>(dim)];
      names += (names.empty() ? "" : ",") + mesh_.name(axis);
    }
    std::vector<std::string> dims;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const bool is_new = sizes_.insert(indices[d]).second;
      const std::string size = is_new || coin() ? fmt::format("={}", 1 + indices[d].size() * 2) : "";
      dims.push_back(indices[d] + size + (axes[d].empty() ? "" : fmt::format("_{{{}}}", axes[d])));
    }
    return fmt::format("[{}]{}{}", fmt::join(dims, ", "), partial.empty() ? "" : fmt::format("{{U_{{{}}}}}", partial),
                       is_open ? "?" : "");
  }

  Array declare(const std::vector<std::string>& indices, Dtype dtype, int uncut = 0) {
    Array array{fresh_name(), dtype, indices};
    array.is_given = true;
    if (is_float(dtype)) array.origins = {array.name};
    const std::string tensor = coin() ? "" : fmt::format(" = \"t.{}\"", indices.empty() ? "x" : "{l}");
    text_ += fmt::format("{} {}{}{}\n", name(dtype), array.name, brackets(indices, uncut), tensor);
    return array;
  }

  /// `dtype NAME[dims] = expression like NAME`, leaving out what the expression implies, which are `natural` indices.
  void write(Array result, const std::string& expression, bool has_natural, bool writes_dtype) {
    std::string line = indent_;
    if (writes_dtype || coin()) line += fmt::format("{} ", name(result.dtype));
    line += result.name;
    const std::string like = coin() ? " like " + any(known_).name : "";
    if (!has_natural || coin()) {
      const std::string dims = fmt::format("[{}]", fmt::join(result.indices, ", "));
      line += like.empty() ? brackets(result.indices) : dims;
    }
    body_ += fmt::format("{} = {}{}\n", line, expression, like);
    std::erase_if(known_, [&](const Array& array) { return array.name == result.name; });
    known_.push_back(std::move(result));
    if (indent_.empty()) flush();
  }

  void flush() { text_ += std::exchange(body_, ""); }

  /// Operands of a loop's lines are declared before it, with an index for the passes.
  std::pair<Array, std::string> operand(std::vector<std::string> indices, Dtype dtype) {
    const bool sliced = !indent_.empty() && (!walked_ || coin());
    if (sliced) indices.insert(indices.begin(), "L");
    const Array array = declare(indices, dtype, sliced ? 1 : 0);
    if (sliced) walked_ = true;
    return {array, sliced ? array.name + "[l]" : array.name};
  }

  static std::set<std::string> both(const Array& a, const Array& b) {
    std::set<std::string> origins = a.origins;
    origins.insert(b.origins.begin(), b.origins.end());
    return origins;
  }

  void add_line(const Array& a, const std::string& result) {
    switch (pick(0, 3)) {
      case 0: return add_product(a, result);
      case 1: return add_function(a, result);
      case 2: return add_vector(a, result);
      default: return add_sum(a, result);
    }
  }

  /// a * b, where each index of a is contracted, of the batch or a's own, and b may have more of its own.
  void add_product(const Array& a, const std::string& result_name) {
    std::vector<std::string> b_indices, kept;
    bool contracts_all = true, contracts_one = false;
    for (const std::string& index : a.indices) {
      const int role = pick(0, 2);
      if (role != 0) b_indices.push_back(index);
      if (role != 1) kept.push_back(index);
      contracts_one |= role != 0;
      contracts_all &= role != 2;
    }
    for (const std::string& index : some_indices(pick(0, 1)))
      if (!has(a.indices, index)) {
        b_indices.push_back(index);
        kept.push_back(index);
      }
    const auto [b, b_text] = operand(shuffled(b_indices), a.dtype);
    Array result{result_name, product_dtype(a.dtype), std::move(kept), both(a, b)};
    const bool has_natural = contracts_all && contracts_one;
    if (has_natural)
      result.indices = natural_order(a, b_indices, b, result.indices);
    else
      result.indices = shuffled(result.indices);
    const std::string product = fmt::format("{} * {}", a.name, b_text);
    const bool converts = coin();
    if (converts) result.dtype = any_dtype();
    if (!is_float(result.dtype)) result.origins.clear();
    const std::string function = converts ? "convert" : any<std::string>({"", "gelu", "relu"});
    write(std::move(result), function.empty() ? product : fmt::format("{}({})", function, product), has_natural,
          converts);
  }

  /// a's own indices, then b's, in the order in which b was declared.
  static std::vector<std::string> natural_order(const Array& a, const std::vector<std::string>& shared, const Array& b,
                                                const std::vector<std::string>& kept) {
    std::vector<std::string> order;
    for (const std::string& index : a.indices)
      if (!has(shared, index)) order.push_back(index);
    for (const std::string& index : b.indices)
      if (has(kept, index) && !has(a.indices, index)) order.push_back(index);
    return order;
  }

  void add_function(const Array& a, const std::string& result_name) {
    Array result{result_name, a.dtype, a.indices, a.origins};
    if (coin())
      return write(std::move(result), fmt::format("{}({})", any<std::string>({"silu", "gelu_tanh"}), a.name), true,
                   false);
    result.dtype = any_dtype();
    result.indices = shuffled(a.indices);
    if (!is_float(result.dtype)) result.origins.clear();
    write(std::move(result), fmt::format("convert({})", a.name), false, true);
  }

  void add_vector(const Array& a, const std::string& result_name) {
    std::vector<std::string> indices;
    if (!a.indices.empty() && coin()) indices.push_back(any(a.indices));
    const auto [vector, text] = operand(indices, coin() ? a.dtype : accumulator_of(a.dtype));
    write({result_name, a.dtype, a.indices, both(a, vector)},
          fmt::format("{}({}, {})", any<std::string>({"bias", "scale"}), a.name, text), true, false);
  }

  void add_sum(const Array& a, const std::string& result_name) {
    const auto [b, text] = operand(a.indices, a.dtype);
    write({result_name, a.dtype, a.indices, both(a, b)},
          fmt::format("{}({}, {})", any<std::string>({"add", "mul"}), a.name, text), true, false);
  }

  /// One array is carried: a pass makes something of it, and of that the array again.
  void add_loop() {
    const Array carried = any(known_);
    std::vector<Array> outside = known_;
    indent_ = "  ";
    walked_ = false;
    body_ = "repeat L as l {\n";
    Array inside{fresh_name(), carried.dtype, carried.indices, carried.origins};
    const bool has_products = !carried.indices.empty() && product_dtype(carried.dtype) == carried.dtype && coin();
    if (has_products) {
      inside = add_layer(carried, inside.name, carried.indices[0], "hidden");
      inside = add_layer(inside, carried.name, "hidden", carried.indices[0]);
    } else {
      body_ += fmt::format("  {} = relu({})\n", inside.name, carried.name);
      known_.push_back(inside);
      add_sum(inside, carried.name);
      inside = known_.back();
    }
    body_ += "}\n";
    indent_ = "";
    flush();
    std::erase_if(outside, [&](const Array& array) { return array.name == carried.name; });
    known_ = std::move(outside);
    known_.push_back(std::move(inside));
  }

  /// A product with weights that puts index `made` where `from` has `contracted`.
  Array add_layer(const Array& from, const std::string& result_name, const std::string& contracted,
                  const std::string& made) {
    const auto [weights, text] = operand({made, contracted}, from.dtype);
    Array result{result_name, from.dtype, from.indices, both(from, weights)};
    std::replace(result.indices.begin(), result.indices.end(), contracted, made);
    write(result, fmt::format("{} * {}", from.name, text), false, false);
    return result;
  }

  void add_gradients() {
    const Array of = any(known_);
    if (of.is_given || of.origins.empty()) return;
    std::vector<std::string> results;
    for (const std::string& origin : shuffled(std::vector<std::string>(of.origins.begin(), of.origins.end())))
      if (results.empty() || coin()) results.push_back("d" + origin);
    text_ += fmt::format("grad {}(d{}) -> {}\n", of.name, of.name, fmt::join(results, ", "));
  }

  Mesh mesh_ = any_mesh();
  std::string text_;
  std::string body_;    // lines that follow the declarations they need
  std::string indent_;  // of the lines of a loop
  bool walked_ = false;
  std::vector<Array> known_;
  std::set<std::string> sizes_;  // indices whose size is written
  int num_names_ = 0;
};

inline rc::Gen<ProgramCase> any_program() {
  return rc::gen::exec([] { return RandomProgram().make(); });
}

}  // namespace meshmul::testing
