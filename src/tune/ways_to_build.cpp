// The list of ways to build a plan.

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "meshmul/error.hpp"
#include "meshmul/tune.hpp"
#include "schedule/product_steps.hpp"

namespace meshmul {
namespace {

using Steps = std::vector<ProgramStep>;

// The steps of each statement.
std::vector<Steps> statements_of(const Plan& plan) { return {program_steps(plan.steps)}; }
std::vector<Steps> statements_of(const ProgramPlan& plan) {
  std::vector<Steps> statements;
  for (const PlannedPart& part : plan.best.parts) statements.push_back(part.steps);
  return statements;
}

bool moves(const std::vector<Steps>& statements) {
  const auto is_move = [](const ProgramStep& step) {
    const auto* move = std::get_if<Move>(&step);
    return move != nullptr && move->kind != MoveKind::kSlice && move->kind != MoveKind::kUnreduce;
  };
  return std::ranges::any_of(statements, [&](const Steps& steps) { return std::ranges::any_of(steps, is_move); });
}

// The sides of products beside which something moves.
struct Sides {
  bool gather = false;
  bool reduce = false;

  void add(const ProductSteps& steps) {
    gather = gather || steps.a || steps.b;
    reduce = reduce || steps.reduce;
  }
};

LowerOptions applied_to(const LowerOptions& options, const std::vector<Steps>& statements) {
  LowerOptions result = options;
  OverlapOptions& overlap = result.overlap;
  if (!overlap.any()) return result;
  Sides sides;
  for (const Steps& steps : statements) sides.add(overlapped_steps(steps, overlap));
  if (!sides.gather) overlap.gather = Design::kSequential;
  if (!sides.reduce) overlap.reduce = Design::kSequential;
  if (!overlap.any())
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("{} has nothing to overlap: in this plan no operand is gathered or exchanged right before a "
                    "product, and no sums are reduced right after it",
                    to_string(options)));
  return result;
}

std::vector<LowerOptions> ways_for(const std::vector<Steps>& statements, int num_devices, const Hardware& hardware,
                                   const Capabilities& available) {
  std::vector<LowerOptions> ways = {{Algorithm::kDirect, {}}};
  if (!moves(statements)) return ways;
  ways.push_back({Algorithm::kRing, {}});
  ways.push_back({Algorithm::kRingBothWays, {}});
  Sides sides;
  for (const Steps& steps : statements) sides.add(product_steps(steps));
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
  const std::vector<int> chunk_counts = num_devices <= 64 ? std::vector{1, 2, 4} : std::vector{1};
  for (const int chunks : chunk_counts) add(Design::kPull, chunks);
  for (const int chunks : chunk_counts)
    if (sides.reduce || chunks == 1) add(Design::kPush, chunks);
  add(Design::kRing, 1);
  add(Design::kRingBothWays, 1);
  return ways;
}

}  // namespace

LowerOptions applied(const LowerOptions& options, const Plan& plan) { return applied_to(options, statements_of(plan)); }

LowerOptions applied(const LowerOptions& options, const ProgramPlan& plan) {
  return applied_to(options, statements_of(plan));
}

std::vector<LowerOptions> ways_to_build(const Plan& plan, const Hardware& hardware, const Capabilities& available) {
  return ways_for(statements_of(plan), plan.mesh.num_devices(), hardware, available);
}

std::vector<LowerOptions> ways_to_build(const ProgramPlan& plan, const Hardware& hardware,
                                        const Capabilities& available) {
  return ways_for(statements_of(plan), plan.mesh.num_devices(), hardware, available);
}

}  // namespace meshmul
