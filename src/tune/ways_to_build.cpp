// The list of ways to build a plan, and their names.

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "meshmul/error.hpp"
#include "meshmul/tune.hpp"

namespace meshmul {
namespace {

bool moves(const Plan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [](const Step& step) {
    const auto* move = std::get_if<Move>(&step);
    return move != nullptr && move->kind != MoveKind::kSlice && move->kind != MoveKind::kUnreduce;
  });
}

std::string words(Design design, const OverlapOptions& options, bool of_operands) {
  std::string text{name(design)};
  if (design == Design::kPush && of_operands) {
    text += options.rows_per_round ? fmt::format(" by {} rows", *options.rows_per_round) : "";
    return text + fmt::format(" into {} slots", options.slots);
  }
  const bool in_chunks = design == Design::kPush || design == Design::kInPlace || design == Design::kPull;
  if (in_chunks && options.chunks_per_shard > 1) text += fmt::format(" in {} chunks", options.chunks_per_shard);
  return text;
}

}  // namespace

std::string to_string(const LowerOptions& options) {
  const OverlapOptions& overlap = options.overlap;
  const std::string algorithm{
      name(options.algorithm == Algorithm::kAutomatic ? Algorithm::kDirect : options.algorithm)};
  if (!overlap.any()) return algorithm;
  const std::string gather = words(overlap.gather, overlap, true);
  const std::string reduce = words(overlap.reduce, overlap, false);
  if (overlap.gather == Design::kSequential) return "overlapped " + reduce;
  if (overlap.reduce == Design::kSequential) return "overlapped " + gather;
  return fmt::format("overlapped {}, sums {}", gather, reduce);
}

LowerOptions applied(const LowerOptions& options, const Plan& plan) {
  LowerOptions result = options;
  OverlapOptions& overlap = result.overlap;
  if (!overlap.any()) return result;
  const ProductSteps steps = product_steps(plan.steps);
  if (!steps.a && !steps.b) overlap.gather = Design::kSequential;
  const bool is_pushed = overlap.gather == Design::kPush;
  if (!steps.reduce || is_pushed) overlap.reduce = Design::kSequential;
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
  const ProductSteps steps = product_steps(plan.steps);
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
