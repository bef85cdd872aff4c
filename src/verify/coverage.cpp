// Walks over a run with symbolic values: what each op reads must be defined, and no sum may hold a term twice.

#include <fmt/format.h>

#include <utility>

#include "of_zeros.hpp"
#include "outputs.hpp"
#include "products.hpp"
#include "rules.hpp"
#include "run_steps.hpp"
#include "symbolic.hpp"

namespace meshmul::verification {
namespace {

// One overload an op: a new op does not compile until its values are known.
class Walker {
 public:
  Walker(SymbolicState& state, std::vector<Finding>& findings) : state_(state), products_(state), findings_(findings) {}

  void step(const OpPlace& place, const Op& op) {
    place_ = place;
    std::visit(*this, op);
  }

  void operator()(const Put& op) { move(op.dst, op.src, {}); }
  void operator()(const Get& op) { move(op.dst, op.src, {}); }
  void operator()(const Signal&) {}
  void operator()(const Wait&) {}
  void operator()(const Copy& op) { move(op.dst, op.src, op.permutation); }
  void operator()(const Reduce& op) {
    const auto src = read(op.src);
    auto sum = read_to_add(op.dst);
    if (!src || !sum) return spoil(op.dst);
    for (const Piece& piece : src->pieces())
      if (!add(*sum, moved(piece, op.src.box, op.dst.box, op.permutation))) return spoil(op.dst);
    state_.value(op.dst).assign(op.dst.box, *sum);
  }
  void operator()(const Gemm& op) {
    const auto a = read(op.a);
    const auto b = read(op.b);
    std::optional<Value> sum = zeros(op.c.box);
    if (op.accumulate && !op.a.box.empty() && !op.b.box.empty()) sum = read_to_add(op.c);
    if (op.accumulate && (op.a.box.empty() || op.b.box.empty())) return;
    if (!a || !b || !sum) return spoil(op.c);
    for (const Piece& of_a : a->pieces())
      for (const Piece& of_b : b->pieces())
        if (!multiply(op, of_a, of_b, *sum)) return spoil(op.c);
    state_.value(op.c).assign(op.c.box, *sum);
  }
  void operator()(const Map& op) {
    switch (op.function) {
      case MapFunction::kOne: return fill_with_ones(op);
      case MapFunction::kZero: return state_.value(op.dst).assign(Piece{op.dst.box, {}, TermSets::kNone});
      case MapFunction::kConvert: return move(op.dst, op.srcs[0], {});
      case MapFunction::kGelu:
      case MapFunction::kGeluTanh:
      case MapFunction::kSilu:
      case MapFunction::kRelu: return apply_to_one(op);
      case MapFunction::kGeluGrad:
      case MapFunction::kGeluTanhGrad:
      case MapFunction::kSiluGrad:
      case MapFunction::kReluGrad:
      case MapFunction::kAdd:
      case MapFunction::kMul:
      case MapFunction::kBias:
      case MapFunction::kScale: return apply_to_two(op);
    }
  }

 private:
  template <class... Args>
  void fault(fmt::format_string<Args...> format, Args&&... args) {
    findings_.push_back({Rule::kCoverage, place_, fmt::format(format, std::forward<Args>(args)...)});
  }

  std::string text(const Region& region) const { return to_string(state_.schedule(), place_.rank, region); }

  // After a finding the destination holds nothing that could be judged.
  void spoil(const Region& dst) {
    Piece faulty{dst.box, {}, TermSets::kNone};
    faulty.placement.tensor = kFaulty;
    state_.value(dst).assign(faulty);
  }

  std::optional<Value> read(const Region& region) { return defined(region, "reads"); }
  std::optional<Value> read_to_add(const Region& region) { return defined(region, "adds to"); }

  // Nothing, with a finding, if a part is undefined.
  std::optional<Value> defined(const Region& region, std::string_view verb) {
    const Value& value = state_.value(region);
    if (const std::optional<Box> part = value.undefined_part(region.box)) {
      fault("{} {}, of which {} is undefined", verb, text(region), text({region.rank, region.buffer, *part}));
      return std::nullopt;
    }
    return value.within(region.box);
  }

  static Value zeros(const Box& box) {
    Value value;
    value.assign(Piece{box, {}, TermSets::kNone});
    return value;
  }

  void move(const Region& dst, const Region& src, std::span<const int> permutation) {
    const std::optional<Value> value = read(src);
    if (!value) return spoil(dst);
    Value result;
    for (const Piece& piece : value->pieces()) result.assign(moved(piece, src.box, dst.box, permutation));
    state_.value(dst).assign(dst.box, result);
  }

  // False, with a finding, if that cannot be.
  bool add(Value& sum, const Piece& piece) {
    const auto clash = state_.add(sum, piece);
    if (!clash) return true;
    const std::string added = state_.text(clash->added);
    const std::string before = state_.text(clash->before);
    if (clash->added.placement != clash->before.placement)
      fault("adds {} to {}; expected the same elements", added, before);
    else
      fault("adds {} to {}, which has {} already", added, before, common_terms(clash->before, clash->added));
    return false;
  }

  std::string common_terms(const Piece& x, const Piece& y) const {
    const TermSets& terms = state_.terms();
    std::vector<Box> common;
    for (const Box& of_x : terms.boxes(x.terms))
      for (const Box& of_y : terms.boxes(y.terms))
        if (overlap(of_x, of_y)) common.push_back(intersect(of_x, of_y));
    if (state_.tensor(x.placement.tensor).terms.num_dims() == 0) return "them";
    return state_.terms_text(x.placement.tensor, common);
  }

  bool multiply(const Gemm& op, const Piece& a, const Piece& b, Value& sum) {
    if (a.placement.tensor == kFaulty || b.placement.tensor == kFaulty) return false;
    if (a.placement.tensor == kZeros || b.placement.tensor == kZeros) return true;
    const Contribution contribution = products_.multiply(op, a, b);
    if (const auto* piece = std::get_if<Piece>(&contribution)) return add(sum, *piece);
    if (std::holds_alternative<NoSuchProduct>(contribution)) {
      fault("multiplies {} by {} as {}, which no statement does", state_.text(a), state_.text(b), op.einsum);
      return false;
    }
    if (const auto* mismatch = std::get_if<MismatchedIndex>(&contribution)) {
      fault("multiplies {} by {}, where index {} of {} is {}:{} in the first and {}:{} in the second", state_.text(a),
            state_.text(b), mismatch->index, op.einsum, mismatch->in_a.begin, mismatch->in_a.end, mismatch->in_b.begin,
            mismatch->in_b.end);
      return false;
    }
    if (const auto* incomplete = std::get_if<IncompleteFactor>(&contribution)) {
      fault("multiplies {} by {}; expected complete elements of {}", state_.text(a), state_.text(b), incomplete->name);
      return false;
    }
    return true;
  }

  void fill_with_ones(const Map& op) {
    Piece ones{op.dst.box, {}, state_.terms().intern({Box{}})};
    ones.placement.tensor = kOnes;
    state_.value(op.dst).assign(ones);
  }

  // A function that is not linear needs complete elements, and what it makes is a new array.
  bool is_ready(const Map& op, const Piece& piece) {
    if (piece.placement.tensor == kFaulty) return false;
    if (piece.placement.tensor == kOnes) {
      fault("{} of ones; expected elements of an array", name(op.function));
      return false;
    }
    if (state_.is_complete(piece)) return true;
    fault("{} needs complete elements; found {}", name(op.function), state_.text(piece));
    return false;
  }

  void apply_to_one(const Map& op) {
    const std::optional<Value> value = read(op.srcs[0]);
    if (!value) return spoil(op.dst);
    Value result;
    for (const Piece& piece : value->pieces()) {
      if (of_zeros(op.function, piece.placement.tensor == kZeros, false)) {
        result.assign(moved(piece, op.srcs[0].box, op.dst.box, {}));
        continue;
      }
      if (!is_ready(op, piece)) return spoil(op.dst);
      result.assign(
          new_array(moved(piece, op.srcs[0].box, op.dst.box, {}), {op.function, {piece.placement.tensor}, {}}));
    }
    state_.value(op.dst).assign(op.dst.box, result);
  }

  void apply_to_two(const Map& op) {
    const std::optional<Value> first = read(op.srcs[0]);
    const std::optional<Value> second = read(op.srcs[1]);
    if (!first || !second) return spoil(op.dst);
    Value result;
    for (const Piece& of_first : first->pieces())
      for (const Piece& of_second : second->pieces()) {
        Piece x = moved(of_first, op.srcs[0].box, op.dst.box, {});
        Piece y = second_source(op, of_second);
        x.box = y.box = intersect(x.box, y.box);
        if (x.box.empty()) continue;
        const auto combined = combine(op, x, y);
        if (!combined) return spoil(op.dst);
        result.assign(*combined);
      }
    state_.value(op.dst).assign(op.dst.box, result);
  }

  // True if the second source has fewer dimensions than dst.
  static bool is_spread(const Map& op) { return op.along || op.srcs[1].box.num_dims() != op.dst.box.num_dims(); }

  // A piece of the second source over all elements of dst for which it counts. If it is spread, its placement keeps the
  // one dimension that it has.
  static Piece second_source(const Map& op, const Piece& piece) {
    if (!is_spread(op)) return moved(piece, op.srcs[1].box, op.dst.box, {});
    Piece spread{op.dst.box, piece.placement, piece.terms};
    if (!op.along) return spread;
    const std::int64_t shift = op.dst.box[*op.along].begin - op.srcs[1].box[0].begin;
    spread.box[*op.along] = {piece.box[0].begin + shift, piece.box[0].end + shift};
    spread.placement.offsets[0] -= shift;
    return spread;
  }

  // `second_source` with the dimensions that it has.
  static Piece as_it_lies(const Map& op, Piece piece) {
    if (is_spread(op)) piece.box = op.along ? Box{piece.box[*op.along]} : Box{};
    return piece;
  }

  // The function of the two, dimension by dimension; nothing if they are not at the same coordinates.
  static std::optional<FunctionRule> rule_of(const Map& op, const Piece& x, const Piece& y) {
    FunctionRule rule{op.function, {x.placement.tensor, y.placement.tensor}, {}};
    rule.second_dims.assign(static_cast<std::size_t>(x.box.num_dims()), kNoDim);
    for (std::size_t d = 0; d < rule.second_dims.size(); ++d) {
      if (is_spread(op) && op.along != static_cast<int>(d)) continue;
      const std::size_t in_second = is_spread(op) ? 0 : d;
      if (x.placement.offsets[d] != y.placement.offsets[in_second]) return std::nullopt;
      rule.second_dims[static_cast<std::size_t>(x.placement.dims[d])] = y.placement.dims[in_second];
    }
    return rule;
  }

  // Two pieces on one box. Terms of one tensor are added up, unless a statement adds an array to itself; all else makes
  // a new array.
  std::optional<Piece> combine(const Map& op, const Piece& x, const Piece& y) {
    if (const auto zeros = of_zeros(op.function, x.placement.tensor == kZeros, y.placement.tensor == kZeros)) {
      if (*zeros == OfZeros::kZeros) return Piece{x.box, {}, TermSets::kNone};
      return *zeros == OfZeros::kFirst ? x : y;
    }
    const std::optional<FunctionRule> rule = rule_of(op, x, y);
    const bool is_stated = rule && state_.contract().functions.contains(*rule) && state_.is_complete(x);
    if (op.function == MapFunction::kAdd && !is_stated)
      if (const auto sum = state_.add(x, y)) return sum;
    const bool is_sum = op.function == MapFunction::kAdd && !is_stated &&
                        (x.placement.tensor == y.placement.tensor || x.placement.tensor < 0 || y.placement.tensor < 0);
    if (is_sum) {
      Value sum;
      sum.assign(x);
      if (!add(sum, y)) return std::nullopt;
      return sum.pieces().front();
    }
    const Piece second = as_it_lies(op, y);
    if (!is_ready(op, x) || !is_ready(op, second)) return std::nullopt;
    if (rule) return new_array(x, *rule);
    fault("{} combines {} and {}; expected the same coordinates", name(op.function), state_.text(x),
          state_.text(second));
    return std::nullopt;
  }

  Piece new_array(Piece piece, const FunctionRule& rule) {
    piece.placement.tensor = state_.tensor_of(rule);
    piece.terms = state_.terms().intern({Box{}});
    return piece;
  }

  SymbolicState& state_;
  Products products_;
  std::vector<Finding>& findings_;
  OpPlace place_;
};

}  // namespace

std::vector<Finding> check_coverage(const Schedule& schedule, const TokenRun& run) {
  std::vector<Finding> findings;
  SymbolicState state(schedule);
  Walker walker(state, findings);
  for_each_step(schedule, run, [&](const OpPlace& place, const Op& op) { walker.step(place, op); });
  check_outputs(state, findings);
  return findings;
}

}  // namespace meshmul::verification
