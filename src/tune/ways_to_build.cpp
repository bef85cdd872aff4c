// The list of ways to build a plan.

#include "meshmul/tune.hpp"
#include "sides.hpp"
#include "ways.hpp"

namespace meshmul {

std::vector<LowerOptions> ways_to_build(const StatementsSteps& statements, const Mesh& mesh, const Hardware& hardware,
                                        const Capabilities& available) {
  std::vector<LowerOptions> ways = {{Algorithm::kDirect, {}}};
  if (moves_left(statements, {}).empty()) return ways;
  ways.push_back({Algorithm::kRing, {}});
  ways.push_back({Algorithm::kRingBothWays, {}});
  const Sides sides = sides_of(statements, mesh);
  if (!sides.gather && !sides.reduce) return ways;

  const auto add = [&](Design design, int chunks) {
    OverlapOptions overlap;
    if (sides.gather) overlap.gather = design;
    if (sides.reduce) overlap.reduce = design;
    overlap.chunks_per_shard = chunks;
    ways.push_back({Algorithm::kDirect, overlap});
  };
  if (hardware.network.shared_memory && available.addressable) add(Design::kInPlace, 1);
  // Each of many ranks has many peers, so that pieces are small already.
  const std::vector<int> chunk_counts = mesh.num_devices() <= 64 ? std::vector{1, 2, 4} : std::vector{1};
  // Shards have as many rows as chunks at least.
  for (const int chunks : chunk_counts)
    if (chunks == 1 || chunks <= sides.gathered_rows) add(Design::kPull, chunks);
  for (const int chunks : chunk_counts)
    if (chunks == 1 || chunks <= sides.summed_rows) add(Design::kPush, chunks);
  add(Design::kRing, 1);
  add(Design::kRingBothWays, 1);
  return ways;
}

std::vector<LowerOptions> ways_to_build(const Plan& plan, const Hardware& hardware, const Capabilities& available) {
  return ways_to_build(steps_of(plan), plan.mesh, hardware, available);
}

std::vector<LowerOptions> ways_to_build(const ProgramPlan& plan, const Hardware& hardware,
                                        const Capabilities& available) {
  return ways_to_build(steps_of(plan), plan.mesh, hardware, available);
}

}  // namespace meshmul
