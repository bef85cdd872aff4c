// One function from a statement to its plan: check, search, explain.
#include "meshmul/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "meshmul/error.hpp"
#include "plan/explain.hpp"
#include "plan/memory.hpp"
#include "plan/on_chip.hpp"
#include "plan/search.hpp"

namespace meshmul {
namespace {

SearchOptions search_options(const Hardware& hardware, const PlanOptions& options) {
  SearchOptions search;
  search.max_rejected = static_cast<std::size_t>(std::max(options.max_rejected, 0));
  search.overlapped = options.overlapped;
  search.wire_dtype = options.wire_dtype;
  if (const auto limit = options.memory_bytes ? options.memory_bytes : hardware.chip.memory_bytes)
    search.memory_limit = static_cast<double>(*limit);
  return search;
}

/// The sharding with which the first step that touches `operand` finds it.
const Sharding& first_sharding(const std::vector<Step>& steps, Operand operand) {
  for (const Step& step : steps) {
    if (const auto* move = std::get_if<Move>(&step); move != nullptr && move->operand == operand)
      return move->from.sharding;
    if (const auto* product = std::get_if<LocalProduct>(&step))
      return operand == Operand::kA ? product->a.sharding : product->b.sharding;
  }
  __builtin_unreachable();
}

const Sharding& last_sharding(const std::vector<Step>& steps) {
  if (const auto* product = std::get_if<LocalProduct>(&steps.back())) return product->c.sharding;
  return std::get<Move>(steps.back()).to.sharding;
}

void close(ArrayType& array, const Sharding& chosen) {
  if (!array.open) return;
  array.sharding = chosen;
  array.open = false;
}

/// Every `?` becomes what the steps made of it.
Statement closed(Statement statement, const std::vector<Step>& steps) {
  const std::vector<ArrayType*> arrays = inputs(statement);
  close(*arrays[0], first_sharding(steps, Operand::kA));
  if (arrays.size() > 1) close(*arrays[1], first_sharding(steps, Operand::kB));
  close(output(statement), last_sharding(steps));
  return statement;
}

SearchResult search(const Statement& statement, const Mesh& mesh, const Machine& machine,
                    const SearchOptions& options) {
  if (const auto* product = std::get_if<Product>(&statement)) return search_product(*product, mesh, machine, options);
  if (const auto* reshard = std::get_if<Reshard>(&statement)) return search_reshard(*reshard, mesh, machine, options);
  return price_collective(std::get<Collective>(statement), mesh, machine, options);
}

double flops_of(const std::vector<Step>& steps) {
  double flops = 0;
  for (const Step& step : steps) flops += std::visit([](const auto& s) { return s.cost.flops; }, step);
  return flops;
}

/// The machine on which the best way is the best of all; of equal ones the first. Where nothing fits into memory on one,
/// nothing does on any: memory does not depend on them.
const Machine& best_machine(const Statement& statement, const Mesh& mesh, const std::vector<Machine>& machines,
                            SearchOptions options) {
  options.max_rejected = 0;
  const Machine* best = &machines.front();
  if (machines.size() == 1) return *best;
  std::optional<Price> least;
  for (const Machine& machine : machines) {
    const SearchResult found = search(statement, mesh, machine, options);
    if (!found.best) continue;
    const Price& price = found.best->price;
    if (least && preference(price, options.overlapped) >= preference(*least, options.overlapped)) continue;
    best = &machine;
    least = price;
    options.seconds_limit = options.overlapped ? price.seconds_overlapped() : price.seconds_sequential();
  }
  return *best;
}

}  // namespace

std::string_view name(MoveKind kind) {
  switch (kind) {
    case MoveKind::kSlice: return "Slice";
    case MoveKind::kAllGather: return "AllGather";
    case MoveKind::kReduceScatter: return "ReduceScatter";
    case MoveKind::kAllReduce: return "AllReduce";
    case MoveKind::kAllToAll: return "AllToAll";
    case MoveKind::kPermute: return "Permute";
    case MoveKind::kRedistribute: return "Redistribute";
    case MoveKind::kUnreduce: return "Unreduce";
  }
  __builtin_unreachable();
}

std::string_view name(Bound bound) {
  switch (bound) {
    case Bound::kNone: return "none";
    case Bound::kBandwidth: return "bandwidth";
    case Bound::kLatency: return "latency";
    case Bound::kCompute: return "compute";
    case Bound::kMemory: return "memory";
  }
  __builtin_unreachable();
}

Plan plan(const Statement& statement, const Mesh& mesh, const Hardware& hardware, const PlanOptions& options) {
  check_sizes(statement);
  const SearchOptions search_settings = search_options(hardware, options);
  const std::vector<Machine> all = machines(mesh, hardware, options);
  const Machine& machine = best_machine(statement, mesh, all, search_settings);
  SearchResult found = search(statement, mesh, machine, search_settings);
  if (!found.best)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("no plan fits into {} bytes a device{}; the least that one takes is {}",
                            whole_bytes(search_settings.memory_limit),
                            options.memory_bytes ? "" : fmt::format(", the memory of {}", hardware.name),
                            whole_bytes(found.least_memory_bytes)));

  Plan plan;
  plan.mesh = mesh;
  plan.hardware = hardware.name;
  plan.cost = machine.cost;
  plan.slice = machine.placement.slice;
  plan.mapping = machine.placement.mapping;
  plan.steps = std::move(found.best->steps);
  plan.statement = closed(statement, plan.steps);
  plan.seconds_sequential = found.best->price.seconds_sequential();
  plan.seconds_overlapped = found.best->price.seconds_overlapped();
  plan.move_seconds = found.best->price.move_seconds;
  plan.product_seconds = found.best->price.product_seconds;
  plan.flops = flops_of(plan.steps);
  plan.on_chip = on_chip(plan.steps, mesh, hardware);
  plan.peak_bytes = peak_bytes(inputs(std::as_const(plan.statement)), plan.steps, mesh);
  plan.cases = explain_axes(plan);
  for (PricedSteps& loser : found.rejected) {
    const Comparison comparison{found.best->price, loser.price, search_settings.memory_limit, options.overlapped};
    std::string reason = explain_loss(comparison, plan.steps, loser.steps, mesh);
    plan.rejected.push_back({std::move(loser.steps),
                             options.overlapped ? loser.price.seconds_overlapped() : loser.price.seconds_sequential(),
                             whole_bytes(loser.price.memory_bytes), std::move(reason)});
  }
  return plan;
}

}  // namespace meshmul
