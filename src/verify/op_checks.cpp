#include "op_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "meshmul/error.hpp"
#include "words.hpp"

namespace meshmul::verification {
namespace {

// One overload an op: a new op does not compile until it is checked.
class OpChecker {
 public:
  OpChecker(const Schedule& schedule, const OpPlace& place, std::string_view word, EinsumCache& einsums,
            std::vector<Finding>& findings)
      : schedule_(schedule), place_(place), word_(word), einsums_(einsums), findings_(findings) {}

  void operator()(const Put& op) {
    if (!are_regions({&op.dst, &op.src}) || !is_signal(op.arrived) || !is_signal(op.sent)) return;
    if (op.src.rank != place_.rank) fault("put reads {}; expected a region of its own rank", text(op.src));
    if (op.dst.rank == place_.rank) fault("put writes {} at its own rank; expected a peer", text(op.dst));
    check_transfer(op.dst, op.src);
  }
  void operator()(const Get& op) {
    if (!are_regions({&op.dst, &op.src}) || !is_signal(op.arrived) || !is_signal(op.taken)) return;
    if (!schedule_.capabilities.get) fault("get needs the capability 'get', which the schedule does not require");
    if (op.dst.rank != place_.rank) fault("get writes {}; expected a region of its own rank", text(op.dst));
    if (op.src.rank == place_.rank) fault("get reads {} at its own rank; expected a peer", text(op.src));
    check_transfer(op.dst, op.src);
  }
  void operator()(const Signal& op) {
    is_signal(op.signal);
    if (!is_rank(op.peer))
      fault("signal raises at rank {}; there are ranks 0 to {}", op.peer, schedule_.num_ranks() - 1);
  }
  void operator()(const Wait& op) { is_signal(op.signal); }
  void operator()(const Copy& op) { check_move(op); }
  void operator()(const Reduce& op) { check_move(op); }
  void operator()(const Gemm& op) {
    if (!are_regions({&op.c, &op.a, &op.b}) || !is_signal(op.arrived)) return;
    check_in_place({&op.c, &op.a, &op.b}, op.arrived);
    check_apart(op.c, op.a);
    check_apart(op.c, op.b);
    check_gemm_dtypes(op);
    check_einsum(op);
  }
  void operator()(const Map& op) {
    if (!are_regions({&op.dst}) || !is_signal(op.arrived)) return;
    check_in_place({&op.dst}, op.arrived);
    if (static_cast<int>(op.srcs.size()) != num_sources(op.function))
      fault("map {} has {} sources; expected {}", name(op.function), op.srcs.size(), num_sources(op.function));
    const bool may_spread = op.function == MapFunction::kBias || op.function == MapFunction::kScale;
    if (op.along && !may_spread) fault("map {} has no source along one dimension", name(op.function));
    for (std::size_t i = 0; i < op.srcs.size(); ++i) {
      const Region& src = op.srcs[i];
      if (!are_regions({&src})) return;
      check_in_place({&src}, std::nullopt);
      if (src != op.dst) check_apart(op.dst, src);
      if (i == 1 && may_spread && op.along)
        check_along(op.dst, src, *op.along);
      else if (i != 1 || !may_spread || src.box.num_dims() > 0)
        check_extents(op.dst, src, {});
    }
  }

 private:
  template <class... Args>
  void fault(fmt::format_string<Args...> format, Args&&... args) {
    findings_.push_back({Rule::kWellFormed, place_, fmt::format(format, std::forward<Args>(args)...)});
  }

  std::string text(const Region& region) const { return to_string(schedule_, place_.rank, region); }
  bool is_rank(int rank) const { return rank >= 0 && rank < schedule_.num_ranks(); }
  const BufferDecl& buffer(const Region& region) const {
    return schedule_.buffers[static_cast<std::size_t>(region.buffer)];
  }

  bool is_signal(int signal) {
    const auto count = static_cast<int>(schedule_.signals.size());
    if (signal >= 0 && signal < count) return true;
    fault("{} names signal number {}; the schedule has {}", word_, signal, count);
    return false;
  }
  bool is_signal(const std::optional<int>& signal) { return !signal || is_signal(*signal); }

  // The usual case, which is to be quick.
  static bool lies_in(const Box& box, const Shape& shape) {
    if (box.num_dims() != static_cast<int>(shape.size())) return false;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const auto& [begin, end] = box[static_cast<int>(d)];
      if (begin < 0 || begin > end || end > shape[d]) return false;
    }
    return true;
  }

  bool are_regions(std::initializer_list<const Region*> regions) {
    bool all = true;
    for (const Region* region : regions) all = is_region(*region) && all;
    return all;
  }

  bool is_region(const Region& region) {
    const std::size_t before = findings_.size();
    if (!is_rank(region.rank))
      fault("{} names rank {}; there are ranks 0 to {}", word_, region.rank, schedule_.num_ranks() - 1);
    if (region.buffer < 0 || region.buffer >= static_cast<int>(schedule_.buffers.size())) {
      fault("{} names buffer number {}; the schedule has {}", word_, region.buffer, schedule_.buffers.size());
      return false;
    }
    const BufferDecl& declared = buffer(region);
    if ((region.rank == place_.rank || declared.symmetric) && lies_in(region.box, declared.shape))
      return findings_.size() == before;
    if (region.rank != place_.rank && !declared.symmetric)
      fault("{} is private to rank {}; only symmetric buffers can be addressed by peers", text(region), region.rank);
    if (region.box.num_dims() != static_cast<int>(declared.shape.size()))
      fault("{} has {}; buffer {} has {}", text(region), counted(region.box.num_dims(), "dimension"), declared.name,
            declared.shape.size());
    else if (std::any_of(region.box.begin(), region.box.end(), [](const Interval& i) { return i.end < i.begin; }))
      fault("{} ends before it begins; expected an empty interval to have begin = end", text(region));
    else if (!Box::whole(declared.shape).contains(region.box))
      fault("{} is not inside of buffer {}, whose shape is {}", text(region), declared.name,
            shape_text(declared.shape));
    return findings_.size() == before;
  }

  void check_transfer(const Region& dst, const Region& src) {
    check_extents(dst, src, {});
    if (buffer(dst).dtype != buffer(src).dtype)
      fault("{} moves {} into {}; expected one dtype", word_, name(buffer(src).dtype), name(buffer(dst).dtype));
    if (schedule_.capabilities.strided) return;
    for (const Region* region : {&dst, &src})
      if (!is_contiguous(region->box, buffer(*region).shape))
        fault("{} is not contiguous; moving it needs the capability 'strided', which the schedule does not require",
              text(*region));
  }

  // copy and reduce
  template <class Move>
  void check_move(const Move& op) {
    if (!are_regions({&op.dst, &op.src}) || !is_signal(op.arrived)) return;
    check_in_place({&op.dst, &op.src}, op.arrived);
    check_apart(op.dst, op.src);
    check_extents(op.dst, op.src, op.permutation);
  }

  void check_in_place(std::initializer_list<const Region*> regions, const std::optional<int>& arrived) {
    if (schedule_.capabilities.addressable) return;
    for (const Region* region : regions)
      if (region->rank != place_.rank)
        fault("{} touches {} in place, which needs the capability 'addressable'; the schedule does not require it",
              word_, text(*region));
    if (arrived)
      fault("{} has an arrived signal, which needs the capability 'addressable'; the schedule does not require it",
            word_);
  }

  void check_apart(const Region& dst, const Region& src) {
    if (dst.rank == src.rank && dst.buffer == src.buffer && overlap(dst.box, src.box))
      fault("{} writes {} and reads {}, which overlap", word_, text(dst), text(src));
  }

  // Of so many dimensions; the empty one changes nothing.
  static bool is_permutation(const std::vector<int>& permutation, std::size_t dims) {
    std::array<bool, kMaxDims> used{};
    for (const int dim : permutation) {
      const auto d = static_cast<std::size_t>(dim);
      if (d >= dims || used[d]) return false;
      used[d] = true;
    }
    return permutation.empty() || permutation.size() == dims;
  }

  void check_extents(const Region& dst, const Region& src, const std::vector<int>& permutation) {
    const auto dims = static_cast<std::size_t>(dst.box.num_dims());
    if (dst.box.num_dims() != src.box.num_dims()) {
      fault("{} has {} and {} has {}", text(dst), counted(dst.box.num_dims(), "dimension"), text(src),
            src.box.num_dims());
      return;
    }
    if (!is_permutation(permutation, dims)) {
      fault("permute {} is not an order of the {} dimensions of {}", fmt::join(permutation, " "), dims, text(src));
      return;
    }
    for (std::size_t d = 0; d < dims; ++d) {
      const int from = permutation.empty() ? static_cast<int>(d) : permutation[d];
      if (dst.box[static_cast<int>(d)].size() == src.box[from].size()) continue;
      fault("dimension {} of {} has {}; dimension {} of {} has {}", d, text(dst),
            counted(dst.box[static_cast<int>(d)].size(), "element"), from, text(src), src.box[from].size());
    }
  }

  // The second source of bias or scale.
  void check_along(const Region& dst, const Region& src, int along) {
    if (src.box.num_dims() != 1)
      fault("{} has {}; along a dimension of {} there is one", text(src), counted(src.box.num_dims(), "dimension"),
            text(dst));
    else if (along < 0 || along >= dst.box.num_dims())
      fault("{} has no dimension {}", text(dst), along);
    else if (src.box[0].size() != dst.box[along].size())
      fault("dimension {} of {} has {}; {} has {}", along, text(dst), counted(dst.box[along].size(), "element"),
            text(src), src.box[0].size());
  }

  void check_gemm_dtypes(const Gemm& op) {
    const Dtype a = buffer(op.a).dtype;
    const Dtype c = buffer(op.c).dtype;
    if (a != buffer(op.b).dtype)
      fault("gemm multiplies {} by {}; expected one dtype", name(a), name(buffer(op.b).dtype));
    if (c == product_dtype(a) || c == accumulator_of(a)) return;
    if (product_dtype(a) == accumulator_of(a))
      fault("gemm of {} gives {}; found {}", name(a), name(product_dtype(a)), name(c));
    else
      fault("gemm of {} gives {} or {}; found {}", name(a), name(product_dtype(a)), name(accumulator_of(a)), name(c));
  }

  void check_einsum(const Gemm& op) {
    const Einsum* einsum = parsed(op.einsum);
    if (einsum == nullptr) return;
    std::array<std::optional<std::int64_t>, 128> extents;
    const auto check_operand = [&](const Region& region, const std::string& letters) {
      if (region.box.num_dims() != static_cast<int>(letters.size())) {
        fault("{} has {}; its part of {} has {}", text(region), counted(region.box.num_dims(), "dimension"), op.einsum,
              letters.size());
        return;
      }
      for (std::size_t d = 0; d < letters.size(); ++d) {
        std::optional<std::int64_t>& extent = extents[static_cast<unsigned char>(letters[d])];
        const std::int64_t found = region.box[static_cast<int>(d)].size();
        if (extent && *extent != found)
          fault("index {} of {} has {}; in {} it has {}", letters[d], op.einsum, counted(*extent, "element"),
                text(region), found);
        extent = found;
      }
    };
    check_operand(op.a, einsum->a);
    check_operand(op.b, einsum->b);
    check_operand(op.c, einsum->c);
  }

  // Null, with a finding, if it is none.
  const Einsum* parsed(const std::string& text) {
    const auto known = einsums_.find(text);
    if (known != einsums_.end()) return &known->second;
    try {
      return &einsums_.emplace(text, parse_einsum(text)).first->second;
    } catch (const Error& error) {
      fault("einsum {}: {}", text, error.what());
      return nullptr;
    }
  }

  const Schedule& schedule_;
  const OpPlace& place_;
  std::string_view word_;  // the mnemonic
  EinsumCache& einsums_;
  std::vector<Finding>& findings_;
};

}  // namespace

bool check_op(const Schedule& schedule, const OpPlace& place, const Op& op, EinsumCache& einsums,
              std::vector<Finding>& findings) {
  const std::size_t before = findings.size();
  std::visit(OpChecker(schedule, place, mnemonic(op), einsums, findings), op);
  return findings.size() == before;
}

}  // namespace meshmul::verification
