// From a plan to a schedule: places every array of the steps in a buffer, then writes each step in turn.

#include "meshmul/lower.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "builder.hpp"
#include "collectives/collectives.hpp"
#include "dimension_order.hpp"
#include "local_product.hpp"
#include "meshmul/collectives.hpp"
#include "overlap/overlapped_product.hpp"
#include "placed_array.hpp"

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

// The steps that `options` overlap.
ProductSteps overlapped_steps(const std::vector<Step>& steps, const OverlapOptions& options) {
  if (!options.any()) return {};
  ProductSteps found = product_steps(steps);
  if (options.gather == Design::kSequential) found.a = found.b = std::nullopt;
  // What is pushed is there for a short time only, so that no block of the product can be finished before the others.
  const bool is_pushed = options.gather == Design::kPush && (found.a || found.b);
  if (options.reduce == Design::kSequential || is_pushed) found.reduce = std::nullopt;
  return found;
}

class Lowering {
 public:
  Lowering(const Plan& plan, const LowerOptions& options)
      : plan_(plan), options_(options), builder_(plan.mesh), output_type_(output(plan.statement)) {}

  Schedule run() {
    Contract contract{plan_.mesh, {plan_.statement}, {}, {}, false};
    place_inputs(contract);
    const ProductSteps overlapped = overlapped_steps(plan_.steps, options_.overlap);
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      if (i == overlapped.a || i == overlapped.b) continue;
      std::size_t last = i;
      if (i == overlapped.product) {
        if (overlapped.reduce) last = *overlapped.reduce;
        write(overlapped, last + 1 == plan_.steps.size());
      } else {
        std::visit([&](const auto& step) { write(step, i + 1 == plan_.steps.size()); }, plan_.steps[i]);
      }
      i = last;
    }
    assert(placed_output_);
    contract.outputs = holdings_of(*placed_output_, output_type_.name);
    return builder_.finish(std::move(contract));
  }

 private:
  static constexpr std::array kOperandNames{"A", "B", "C"};

  PlacedArray& array(Operand operand) { return arrays_[static_cast<std::size_t>(operand)]; }

  static std::string name_of(const ArrayType& type, Operand operand) {
    return type.name.empty() ? kOperandNames[static_cast<std::size_t>(operand)] : type.name;
  }

  void place_inputs(Contract& contract) {
    const std::vector<const ArrayType*> types = inputs(plan_.statement);
    for (std::size_t i = 0; i < types.size(); ++i) {
      arrays_[i] = place(builder_, name_of(*types[i], static_cast<Operand>(i)), *types[i]);
      const auto holdings = holdings_of(arrays_[i], types[i]->name);
      contract.inputs.insert(contract.inputs.end(), holdings.begin(), holdings.end());
    }
  }

  // The buffer of the output, laid out as the last step says: as in the statement, but for mesh axes of size 1.
  const PlacedArray& output_as(ArrayType type) {
    std::string name = name_of(output_type_, Operand::kC);
    for (const ArrayType* input : inputs(plan_.statement))
      if (input->name == output_type_.name) name += ".out";
    type.dtype = output_type_.dtype;
    placed_output_ = place(builder_, name, type);
    return *placed_output_;
  }

  void write(const Move& move, bool is_last) {
    PlacedArray& operand = array(move.operand);
    operand.type = move.from;
    if (is_last) {
      write_move(builder_, move.kind, operand, output_as(move.to), options_.algorithm);
    } else if (move.kind == MoveKind::kSlice) {
      operand = sliced(operand, move.to, plan_.mesh);
    } else {
      const std::string name = name_of(move.to, move.operand) + "." + std::string(state_after(move.kind));
      PlacedArray to = place(builder_, name, move.to);
      write_move(builder_, move.kind, operand, to, options_.algorithm);
      operand = std::move(to);
    }
  }

  void write(const LocalProduct& product, bool is_last) {
    if (is_last) return local_product(builder_, array(Operand::kA), array(Operand::kB), output_as(product.c));
    PlacedArray& c = array(Operand::kC);
    c = place(builder_, name_of(product.c, Operand::kC) + ".product", product.c);
    local_product(builder_, array(Operand::kA), array(Operand::kB), c);
  }

  // A product together with the moves next to it.
  void write(const ProductSteps& overlapped, bool is_last) {
    const auto& product = std::get<LocalProduct>(plan_.steps[*overlapped.product]);
    const auto multiplicand = [&](Operand operand, const std::optional<std::size_t>& step, const ArrayType& type) {
      PlacedArray& placed = array(operand);
      if (!step) return Multiplicand{placed, type, std::nullopt, {}};
      const auto& move = std::get<Move>(plan_.steps[*step]);
      placed.type = move.from;
      return Multiplicand{placed, move.to, move.kind,
                          name_of(move.to, operand) + "." + std::string(state_after(move.kind))};
    };
    const Multiplicand a = multiplicand(Operand::kA, overlapped.a, product.a);
    const Multiplicand b = multiplicand(Operand::kB, overlapped.b, product.b);
    const Move* reduce = overlapped.reduce ? &std::get<Move>(plan_.steps[*overlapped.reduce]) : nullptr;
    const ArrayType& type = reduce != nullptr ? reduce->to : product.c;
    if (is_last) return overlapped_product(builder_, a, b, product, output_as(type), options_.overlap);
    PlacedArray& c = array(Operand::kC);
    const std::string_view state = reduce != nullptr ? state_after(reduce->kind) : "product";
    c = place(builder_, name_of(type, Operand::kC) + "." + std::string(state), type);
    overlapped_product(builder_, a, b, product, c, options_.overlap);
  }

  const Plan& plan_;
  const LowerOptions& options_;
  ScheduleBuilder builder_;
  const ArrayType& output_type_;
  std::array<PlacedArray, 3> arrays_;
  std::optional<PlacedArray> placed_output_;
};

}  // namespace

Schedule lower(const Plan& plan, const LowerOptions& options) {
  check_overlap(options.overlap);
  return Lowering(plan, options).run();
}

std::span<const MoveKind> move_kinds() {
  static constexpr auto kAll = [] {
    std::array<MoveKind, static_cast<std::size_t>(MoveKind::kUnreduce) + 1> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<MoveKind>(i);
    return all;
  }();
  return kAll;
}

Schedule build_move(const Move& move, const Mesh& mesh, const LowerOptions& options) {
  Plan plan;
  plan.mesh = mesh;
  plan.statement = Reshard{move.from, move.to};
  check_sizes(plan.statement);
  plan.steps = {move};
  std::get<Move>(plan.steps.front()).operand = Operand::kA;
  return lower(plan, options);
}

}  // namespace meshmul
