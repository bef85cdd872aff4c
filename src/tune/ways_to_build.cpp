// The list of ways to build a plan.

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "meshmul/error.hpp"
#include "meshmul/tune.hpp"
#include "schedule/product_steps.hpp"

namespace meshmul {
namespace {

bool moves(const Plan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [](const Step& step) {
    const auto* move = std::get_if<Move>(&step);
    return move != nullptr && move->kind != MoveKind::kSlice && move->kind != MoveKind::kUnreduce;
  });
}

}  // namespace

LowerOptions applied(const LowerOptions& options, const Plan& plan) {
  LowerOptions result = options;
  OverlapOptions& overlap = result.overlap;
  if (!overlap.any()) return result;
  const ProductSteps steps = overlapped_steps(program_steps(plan.steps), overlap);
  if (!steps.a && !steps.b) overlap.gather = Design::kSequential;
  if (!steps.reduce) overlap.reduce = Design::kSequential;
  if (!overlap.any())
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("{} has nothing to overlap: in this plan no operand is gathered or exchanged right before a "
                    "product, and no sums are reduced right after it",
                    to_string(options)));
  return result;
}

std::vector<LowerOptions> ways_to_build(const Plan& plan, const Hardware& hardware, const Capabilities& available) {
  std::vector<LowerOptions> ways = {{Algorithm::kDirect, {}}};
  if (!moves(plan)) return ways;
  ways.push_back({Algorithm::kRing, {}});
  ways.push_back({Algorithm::kRingBothWays, {}});
  const ProductSteps steps = product_steps(program_steps(plan.steps));
  const bool gathers = steps.a || steps.b;
  const bool reduces = steps.reduce.has_value();
  if (!gathers && !reduces) return ways;

  const auto add = [&](Design design, int chunks) {
    OverlapOptions overlap;
    if (gathers) overlap.gather = design;
    if (reduces) overlap.reduce = design;
    overlap.chunks_per_shard = chunks;
    ways.push_back({Algorithm::kDirect, overlap});
  };
  if (hardware.network.shared_memory && available.addressable) add(Design::kInPlace, 1);
  // Each of many ranks has many peers, so that pieces are small already.
  const std::vector<int> chunk_counts = plan.mesh.num_devices() <= 64 ? std::vector{1, 2, 4} : std::vector{1};
  for (const int chunks : chunk_counts) add(Design::kPull, chunks);
  for (const int chunks : chunk_counts)
    if (reduces || chunks == 1) add(Design::kPush, chunks);
  add(Design::kRing, 1);
  add(Design::kRingBothWays, 1);
  return ways;
}

}  // namespace meshmul
