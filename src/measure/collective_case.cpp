#include "collective_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "estimate.hpp"
#include "loaded_schedule.hpp"
#include "memory_copies.hpp"
#include "meshmul/compile.hpp"

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

// Short calls are measured several times for one reading.
int calls_of(std::int64_t bytes) {
  constexpr std::int64_t kBytesPerReading = 4 << 20;
  return static_cast<int>(std::clamp<std::int64_t>(kBytesPerReading / bytes, 1, 32));
}

Timed median_of(int calls, const std::function<double()>& call) {
  return [=] {
    std::vector<double> seconds;
    for (int i = 0; i < calls; ++i) seconds.push_back(call());
    return estimate(std::move(seconds)).median;
  };
}

}  // namespace

CollectiveCase prepare_collective(CollectiveKind collective, std::int64_t bytes, const Hardware& hardware,
                                  const Executor& executor, Team& team, MpiPeer* mpi,
                                  const std::function<bool()>& interrupted) {
  const Mesh mesh{{"X", team.size()}};
  const auto elements = bytes / static_cast<std::int64_t>(sizeof(float));
  const Statement statement = statement_of(collective, elements, mesh);
  const Compiled chosen = compile(statement, mesh, hardware, executor);
  const int calls = calls_of(bytes);
  CollectiveCase prepared{collective, bytes, bytes_to_get(collective, bytes, team.size()), {}, {}};
  const auto copies =
      std::make_shared<MemoryCopies>(team, static_cast<std::int64_t>(prepared.bytes_to_get), CopySource::kPeer);
  prepared.copies = median_of(calls, [copies] { return copies->seconds(); });
  for (const Algorithm algorithm : algorithms()) {
    const auto loaded = std::make_shared<LoadedSchedule>(lower(chosen.plan, {algorithm}), executor, interrupted);
    const auto call = [loaded, &team, round = 0]() mutable {
      loaded->rewrite_inputs(team, ++round);
      return loaded->run();
    };
    const bool is_chosen = algorithm == chosen.lower.algorithm;
    prepared.rows.push_back({std::string(name(algorithm)), is_chosen, median_of(calls, call)});
  }
  if (mpi != nullptr)
    prepared.rows.push_back({kPeerName, false, [=] { return estimate(mpi->run({collective, calls, bytes})).median; }});
  return prepared;
}

}  // namespace meshmul::measure
