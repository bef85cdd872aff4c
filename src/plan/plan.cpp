// One function from a statement to its plan: check, search, explain.
#include "meshmul/plan.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "plan/explain.hpp"
#include "plan/memory.hpp"
#include "plan/written_plan.hpp"

namespace meshmul {
namespace {

struct Candidate {
  const Machine* machine = nullptr;
  std::unique_ptr<const MachineSearch> search;
  double least_seconds = 0;
};

std::vector<Candidate> candidates(const StatementSearch& search, const std::vector<Machine>& machines,
                                  const SearchOptions& options) {
  std::vector<Candidate> all;
  for (const Machine& machine : machines) {
    Candidate& candidate = all.emplace_back(&machine, search.on(machine));
    candidate.least_seconds = candidate.search->least_seconds(options);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.least_seconds < b.least_seconds; });
  return all;
}

/// The machine on which the best way is the best of all; of equal ones the first. Where nothing fits into memory on one,
/// nothing does on any: memory does not depend on them.
const Machine& best_machine(const StatementSearch& search, const std::vector<Machine>& machines,
                            SearchOptions options) {
  if (machines.size() == 1) return machines.front();
  options.max_rejected = 0;
  const std::vector<Candidate> all = candidates(search, machines, options);
  const auto rank = [&](const Candidate& candidate, const Price& price) {
    return std::pair(preference(price, options.overlapped), candidate.machine);
  };
  for (double limit : rising_limits(all.front().least_seconds)) {
    std::optional<Price> least;
    const Candidate* best = nullptr;
    for (const Candidate& candidate : all) {
      if (candidate.least_seconds > limit) break;
      const SearchResult found = candidate.search->within(limit, options);
      if (!found.best || counted_seconds(found.best->price, options) > limit) continue;
      if (best != nullptr && rank(candidate, found.best->price) >= rank(*best, *least)) continue;
      best = &candidate;
      least = found.best->price;
      limit = counted_seconds(*least, options);
    }
    if (best != nullptr) return *best->machine;
  }
  return machines.front();
}

/// The fastest of the plans that take no more than `least_memory_bytes`, which one takes.
Plan smallest_plan(const Statement& statement, const Mesh& mesh, const StatementSearch& search,
                   const std::vector<Machine>& machines, SearchOptions options, double least_memory_bytes) {
  options.memory_limit = least_memory_bytes;
  options.max_rejected = 0;
  const Machine& machine = best_machine(search, machines, options);
  SearchResult found = search.on(machine)->run(options);
  assert(found.best);
  return written_plan(statement, mesh, machine, *std::move(found.best));
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
  const StatementSearch search(statement, mesh, all.front(), options.wire_dtype);
  const Machine& machine = best_machine(search, all, search_settings);
  SearchResult found = search.on(machine)->run(search_settings);
  if (!found.best)
    throw no_plan_fits(statement, hardware, options,
                       smallest_plan(statement, mesh, search, all, search_settings, found.least_memory_bytes));

  const Price price = found.best->price;
  Plan plan = written_plan(statement, mesh, machine, *std::move(found.best));
  for (PricedSteps& loser : found.rejected) {
    const Comparison comparison{price, loser.price, search_settings.memory_limit, options.overlapped};
    std::string reason = explain_loss(comparison, plan.steps, loser.steps, mesh);
    plan.rejected.push_back({std::move(loser.steps), counted_seconds(loser.price, search_settings),
                             whole_bytes(loser.price.memory_bytes), std::move(reason)});
  }
  return plan;
}

}  // namespace meshmul
