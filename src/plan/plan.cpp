// One function from a statement to its plan: check, search, explain.
#include "meshmul/plan.hpp"

#include <utility>

#include "plan/explain.hpp"
#include "plan/memory.hpp"
#include "plan/written_plan.hpp"

namespace meshmul {
namespace {

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
  if (!found.best) throw no_plan_fits(hardware, options, found.least_memory_bytes);

  const Price price = found.best->price;
  Plan plan = written_plan(statement, mesh, machine, *std::move(found.best));
  for (PricedSteps& loser : found.rejected) {
    const Comparison comparison{price, loser.price, search_settings.memory_limit, options.overlapped};
    std::string reason = explain_loss(comparison, plan.steps, loser.steps, mesh);
    plan.rejected.push_back({std::move(loser.steps),
                             options.overlapped ? loser.price.seconds_overlapped() : loser.price.seconds_sequential(),
                             whole_bytes(loser.price.memory_bytes), std::move(reason)});
  }
  return plan;
}

}  // namespace meshmul
