#include "collective_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "loaded_schedule.hpp"
#include "memory_copies.hpp"
#include "meshmul/compile.hpp"
#include "schedule/copied_inputs.hpp"

namespace meshmul::measure {
namespace {

Statement statement_of(CollectiveKind collective, std::int64_t elements, const Mesh& mesh) {
  const std::int64_t ranks = mesh.num_devices();
  const auto text = [&] {
    switch (collective) {
      case CollectiveKind::kAllGather: return fmt::format("f32 A[I={}_X] -> A[I]", elements * ranks);
      case CollectiveKind::kReduceScatter: return fmt::format("f32 A[I={}]{{U_X}} -> A[I_X]", elements);
      case CollectiveKind::kAllReduce: return fmt::format("f32 A[I={}]{{U_X}} -> A[I]", elements);
      case CollectiveKind::kAllToAll: return fmt::format("f32 A[I={}_X, J={}] -> A[I, J_X]", ranks, elements);
    }
    return std::string();
  };
  return parse_statement(text(), mesh);
}

double bytes_to_get(CollectiveKind collective, std::int64_t bytes, int num_ranks) {
  const double others = num_ranks - 1;
  const auto own = static_cast<double>(bytes);
  switch (collective) {
    case CollectiveKind::kAllGather: return others * own;
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kAllToAll: return others / num_ranks * own;
    case CollectiveKind::kAllReduce: return 2 * others / num_ranks * own;
  }
  return 0;
}

// So many that neither the begin of a batch nor its end counts much.
int find_calls(const std::function<double(int calls)>& batch) {
  constexpr double kBatchSeconds = 0.01;
  constexpr int kMostCalls = 100'000;
  int calls = 1;
  for (double seconds = batch(calls); seconds < kBatchSeconds && calls < kMostCalls; seconds = batch(calls)) {
    const double factor = std::clamp(1.1 * kBatchSeconds / seconds, 1.1, 8.0);
    calls = std::min(kMostCalls, static_cast<int>(std::ceil(factor * calls)));
  }
  return calls;
}

Timed of_one_call(std::function<double(int calls)> batch) {
  return [batch = std::move(batch), calls = 0]() mutable {
    if (calls == 0) calls = find_calls(batch);
    batch(calls);  // brings back what the batches of others have driven from the caches
    return batch(calls) / calls;
  };
}

Timed of_copies(Team& team, std::int64_t bytes_to_write, std::int64_t bytes_to_get) {
  const auto copies = std::make_shared<MemoryCopies>(team, bytes_to_write, bytes_to_get);
  return of_one_call([copies](int calls) { return copies->run(calls); });
}

}  // namespace

CollectiveCase prepare_collective(CollectiveKind collective, std::int64_t bytes, std::span<const Algorithm> algorithms,
                                  const Hardware& hardware, const Executor& executor, Team& team, MpiPeer* mpi,
                                  const ExecuteOptions& options) {
  const Mesh mesh{{"X", team.size()}};
  const auto elements = bytes / static_cast<std::int64_t>(sizeof(float));
  const Statement statement = statement_of(collective, elements, mesh);
  const Compiled chosen = compile(statement, mesh, hardware, executor);
  CollectiveCase prepared{collective, bytes, bytes_to_get(collective, bytes, team.size()), {}, {}, {}, {}};
  prepared.rewriting = of_copies(team, bytes, 0);
  prepared.copies = of_copies(team, bytes, static_cast<std::int64_t>(prepared.bytes_to_get));
  // One call follows the other without the host in between.
  Capabilities available = executor.capabilities();
  available.barrier = false;
  for (const Algorithm algorithm : algorithms) {
    const Schedule schedule = legalize(lower_with_copied_inputs(chosen.plan, {algorithm}), available);
    const auto loaded = std::make_shared<LoadedSchedule>(schedule, executor, options);
    prepared.rows.push_back({std::string(name(algorithm)), algorithm == chosen.lower.algorithm,
                             of_one_call([loaded](int calls) { return loaded->run(calls); })});
  }
  if (mpi != nullptr) prepared.mpi = of_one_call([=](int calls) { return mpi->run({collective, calls, bytes}); });
  return prepared;
}

}  // namespace meshmul::measure
