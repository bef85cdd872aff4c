// What options come to for a plan, and which of them do not fit it.

#include <fmt/format.h>

#include <algorithm>

#include "base/word_list.hpp"
#include "meshmul/error.hpp"
#include "meshmul/tune.hpp"
#include "mixed_way.hpp"
#include "plan/program/tasks.hpp"
#include "schedule/product_steps.hpp"
#include "sides.hpp"

namespace meshmul {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

// Into how many pieces a shard may be cut, so that a schedule stays of a size that is written and run in seconds.
std::int64_t most_pieces(const Mesh& mesh) {
  constexpr std::int64_t kMostPiecesOfAll = 1 << 20;
  const std::int64_t devices = mesh.num_devices();
  return std::max<std::int64_t>(1, kMostPiecesOfAll / std::max<std::int64_t>(1, devices * (devices - 1)));
}

void check_chunks(const OverlapOptions& overlap, const Sides& sides, const Mesh& mesh) {
  const bool of_operands = overlap.gather == Design::kPull;
  const bool of_sums = overlap.reduce == Design::kInPlace || overlap.reduce == Design::kPush;
  const std::int64_t rows = std::max(of_operands ? sides.gathered_rows : 0, of_sums ? sides.summed_rows : 0);
  const std::int64_t most = std::min(rows, most_pieces(mesh));
  if (rows > 0 && overlap.chunks_per_shard > most)
    refuse(
        fmt::format("{} chunks per shard do not fit: the largest one that moves beside a product has {} rows; "
                    "expected at most {}",
                    overlap.chunks_per_shard, rows, most));
}

void check_rounds(const OverlapOptions& overlap, const Sides& sides, const Mesh& mesh) {
  const std::int64_t rows = sides.gathered_rows;
  if (overlap.gather != Design::kPush || rows == 0) return;
  const std::int64_t per_round = overlap.rows_per_round.value_or((rows + 3) / 4);
  const std::int64_t least = (rows + most_pieces(mesh) - 1) / most_pieces(mesh);
  if (per_round > rows || per_round < least)
    refuse(
        fmt::format("{} rows per round do not fit: the largest shard that moves beside a product has {} rows; "
                    "expected from {} to {}",
                    per_round, rows, least, rows));
  const std::int64_t rounds = std::max<std::int64_t>((rows + per_round - 1) / per_round, 2);
  if (overlap.slots > rounds)
    refuse(fmt::format("{} slots do not fit: {} rows by {} take {} rounds; expected at most {}", overlap.slots, rows,
                       per_round, (rows + per_round - 1) / per_round, rounds));
}

// Of moves there must be one that goes round a ring.
void check_algorithm(Algorithm algorithm, const std::vector<Move>& moves) {
  if (algorithm == Algorithm::kAutomatic || algorithm == Algorithm::kDirect) return;
  const auto has_ring = [](const Move& move) {
    return move.kind != MoveKind::kPermute && move.kind != MoveKind::kRedistribute;
  };
  if (std::ranges::any_of(moves, has_ring)) return;
  if (moves.empty())
    refuse(fmt::format("{} has nothing to build: this plan has no collective that is not overlapped", name(algorithm)));
  refuse(fmt::format("{} does not apply: of this plan {} goes from point to point; expected direct", name(algorithm),
                     name(moves.front().kind)));
}

LowerOptions applied_to(const LowerOptions& options, const StatementsSteps& statements, const Mesh& mesh) {
  LowerOptions result = options;
  OverlapOptions& overlap = result.overlap;
  const std::vector<Move> left = moves_left(statements, overlap);
  if (!overlap.any() && left.empty()) {  // there is nothing to build in one way or another
    result.algorithm = Algorithm::kDirect;
    return result;
  }
  if (overlap.any()) {
    const Sides sides = overlapped_sides(statements, overlap, mesh);
    if (!sides.gather) overlap.gather = Design::kSequential;
    if (!sides.reduce) overlap.reduce = Design::kSequential;
    if (!overlap.any())
      refuse(
          fmt::format("{} has nothing to overlap: in this plan no operand is gathered or exchanged right before a "
                      "product, and no sums are reduced right after it",
                      to_string(options)));
    check_chunks(overlap, sides, mesh);
    check_rounds(overlap, sides, mesh);
  }
  check_algorithm(result.algorithm, left);
  return result;
}

}  // namespace

LowerOptions applied(const LowerOptions& options, const Plan& plan) {
  return applied_to(options, steps_of(plan), plan.mesh);
}

LowerOptions applied(const LowerOptions& options, const ProgramPlan& plan) {
  return applied_to(options, steps_of(plan), plan.mesh);
}

ProgramWay applied(const LowerOptions& options, const std::vector<NamedOverlap>& products, const ProgramPlan& plan) {
  if (products.empty()) return applied(options, plan);
  const LowerOptions rest = options.overlap.any() ? applied(options, plan) : options;
  std::vector<PartWay> parts;
  std::vector<std::string> made;
  for (std::size_t i = 0; i < plan.best.parts.size(); ++i) {
    const PlannedPart& part = plan.best.parts[i];
    if (part.kind != PartKind::kStatement || !product_steps(part.steps).product) continue;
    made.push_back(plan.best.program.value(result_of(part, plan.best.program)).type.name);
    parts.push_back({static_cast<int>(i), made.back(), own_way(rest, part.steps, plan.mesh)});
    const auto named = std::ranges::find(products, made.back(), &NamedOverlap::name);
    if (named == products.end()) continue;
    try {
      parts.back().lower = applied_to({options.algorithm, named->overlap}, {part.steps}, plan.mesh);
    } catch (const Error& error) {
      refuse(fmt::format("{}: {}", made.back(), error.what()));
    }
  }
  for (const NamedOverlap& product : products)
    if (std::ranges::find(made, product.name) == made.end())
      refuse(fmt::format("no product makes {}; those of the program make {}", product.name, word_list(made, "and")));
  return {rest, std::move(parts)};
}

}  // namespace meshmul
