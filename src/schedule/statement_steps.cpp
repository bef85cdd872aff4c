#include "statement_steps.hpp"

#include <array>
#include <cassert>
#include <string_view>
#include <utility>
#include <variant>

#include "collectives/collectives.hpp"
#include "dimension_order.hpp"
#include "local_map.hpp"
#include "local_product.hpp"
#include "overlap/overlapped_product.hpp"
#include "product_steps.hpp"

namespace meshmul {
namespace {

std::string_view state_after(MoveKind kind) {
  switch (kind) {
    case MoveKind::kSlice: return "sliced";
    case MoveKind::kAllGather: return "gathered";
    case MoveKind::kReduceScatter:
    case MoveKind::kAllReduce: return "reduced";
    case MoveKind::kAllToAll: return "exchanged";
    case MoveKind::kPermute: return "permuted";
    case MoveKind::kRedistribute: return "redistributed";
    case MoveKind::kUnreduce: return "unreduced";
  }
  assert(false);
  return {};
}

// Writes one move. Dimensions that change their order, and dtypes that change where nothing is added, are for the
// direct forms alone.
void write_move(ScheduleBuilder& builder, MoveKind kind, const PlacedArray& from, const PlacedArray& to,
                Algorithm algorithm) {
  const bool in_rings = algorithm == Algorithm::kRing || algorithm == Algorithm::kRingBothWays;
  const Ways ways = algorithm == Algorithm::kRingBothWays ? Ways::kBoth : Ways::kOne;
  const bool same_order = DimensionOrder(to.type, from.type).is_same();
  const bool same_form = same_order && from.type.dtype == to.type.dtype;
  switch (kind) {
    case MoveKind::kUnreduce: return unreduce(builder, from, to);
    case MoveKind::kReduceScatter:
    case MoveKind::kAllReduce:
      return in_rings && same_order && to.type.num_dims() > 0 ? ring_reduce(builder, from, to, ways)
                                                              : direct_reduce(builder, from, to);
    case MoveKind::kAllGather:
      return in_rings && same_form ? ring_all_gather(builder, from, to, ways) : direct_exchange(builder, from, to);
    case MoveKind::kAllToAll:
      return in_rings && same_form ? ring_all_to_all(builder, from, to, ways) : direct_exchange(builder, from, to);
    case MoveKind::kSlice:
    case MoveKind::kPermute:
    case MoveKind::kRedistribute: return direct_exchange(builder, from, to);
  }
}

class StepWriter {
 public:
  StepWriter(ScheduleBuilder& builder, StatementSteps statement, const LowerOptions& options)
      : builder_(builder), statement_(std::move(statement)), options_(options) {
    assert(!statement_.steps.empty() && statement_.sources.size() <= 2);
    for (std::size_t i = 0; i < statement_.sources.size(); ++i) arrays_[i] = std::move(statement_.sources[i]);
  }

  PlacedArray write() {
    const ProductSteps overlapped = overlapped_steps(statement_.steps, options_.overlap);
    for (std::size_t i = 0; i < statement_.steps.size(); ++i) {
      if (i == overlapped.a || i == overlapped.b) continue;
      first_ = last_ = i;
      if (i == overlapped.product) {
        if (overlapped.reduce) last_ = *overlapped.reduce;
        write(overlapped);
      } else {
        std::visit([this](const auto& step) { write(step); }, statement_.steps[i]);
      }
      i = last_;
    }
    return std::move(result_);
  }

 private:
  PlacedArray& array(Operand operand) { return arrays_[static_cast<std::size_t>(operand)]; }
  bool is_last() const { return last_ + 1 == statement_.steps.size(); }
  bool applies_function() const {
    return statement_.function && first_ <= statement_.function->step && statement_.function->step <= last_;
  }

  // Memory for what the steps at hand make of `operand`: the result, if they are the last.
  PlacedArray destination(ArrayType type, Operand operand, std::string_view state) {
    if (!is_last()) return place(builder_, name_of(type, operand) + "." + std::string(state), type);
    type.dtype = statement_.result_dtype;
    return place(builder_, statement_.result_name, type);
  }

  // Calls `write_into` with that memory, and applies the function of the product to what it wrote there.
  template <class WriteInto>
  void make(const ArrayType& type, Operand operand, std::string_view state, WriteInto&& write_into) {
    PlacedArray made = destination(type, operand, state);
    if (!applies_function()) {
      write_into(made);
    } else if (made.type.dtype == statement_.function->sum_dtype) {
      write_into(made);
      local_map(builder_, statement_.function->function, {made}, made);
    } else {
      ArrayType sum_type = type;
      sum_type.dtype = statement_.function->sum_dtype;
      const PlacedArray sums = place(builder_, name_of(type, operand) + ".sum", sum_type);
      write_into(sums);
      local_map(builder_, statement_.function->function, {sums}, made);
    }
    (is_last() ? result_ : array(operand)) = std::move(made);
  }

  void write(const Move& move) {
    PlacedArray& operand = array(move.operand);
    operand.type = move.from;
    if (move.kind == MoveKind::kSlice && !is_last()) {
      operand = sliced(operand, move.to, builder_.mesh());
      return;
    }
    const PlacedArray from = operand;
    make(move.to, move.operand, state_after(move.kind),
         [&](const PlacedArray& to) { write_move(builder_, move.kind, from, to, options_.algorithm); });
  }

  void write(const LocalProduct& product) {
    make(product.c, Operand::kC, "product",
         [&](const PlacedArray& c) { local_product(builder_, array(Operand::kA), array(Operand::kB), c); });
  }

  void write(const LocalMap& map) {
    std::vector<PlacedArray> sources;
    for (std::size_t i = 0; i < map.sources.size(); ++i) sources.push_back(arrays_[i]);
    make(map.result, Operand::kC, "made",
         [&](const PlacedArray& to) { local_map(builder_, map.function, sources, to); });
  }

  // A product together with the moves next to it.
  void write(const ProductSteps& overlapped) {
    const auto& product = std::get<LocalProduct>(statement_.steps[*overlapped.product]);
    const auto multiplicand = [&](Operand operand, const std::optional<std::size_t>& step, const ArrayType& type) {
      PlacedArray& placed = array(operand);
      if (!step) return Multiplicand{placed, type, std::nullopt, {}};
      const auto& move = std::get<Move>(statement_.steps[*step]);
      placed.type = move.from;
      return Multiplicand{placed, move.to, move.kind,
                          name_of(move.to, operand) + "." + std::string(state_after(move.kind))};
    };
    const Multiplicand a = multiplicand(Operand::kA, overlapped.a, product.a);
    const Multiplicand b = multiplicand(Operand::kB, overlapped.b, product.b);
    const Move* reduce = overlapped.reduce ? &std::get<Move>(statement_.steps[*overlapped.reduce]) : nullptr;
    make(reduce != nullptr ? reduce->to : product.c, Operand::kC,
         reduce != nullptr ? state_after(reduce->kind) : "product",
         [&](const PlacedArray& c) { overlapped_product(builder_, a, b, product, c, options_.overlap); });
  }

  ScheduleBuilder& builder_;
  StatementSteps statement_;
  const LowerOptions& options_;
  std::array<PlacedArray, 3> arrays_;  // by operand
  PlacedArray result_;
  std::size_t first_ = 0, last_ = 0;  // the steps at hand
};

}  // namespace

std::string name_of(const ArrayType& type, Operand operand) {
  static constexpr std::array kOperandNames{"A", "B", "C"};
  return type.name.empty() ? kOperandNames[static_cast<std::size_t>(operand)] : type.name;
}

PlacedArray write_steps(ScheduleBuilder& builder, StatementSteps statement, const LowerOptions& options) {
  return StepWriter(builder, std::move(statement), options).write();
}

}  // namespace meshmul
