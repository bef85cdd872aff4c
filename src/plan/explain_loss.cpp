// Why a way lost against the plan.
#include <fmt/format.h>

#include <algorithm>

#include "base/amounts.hpp"
#include "plan/explain.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {
namespace {

bool same_step(const Step& a, const Step& b) {
  const auto* move_a = std::get_if<Move>(&a);
  const auto* move_b = std::get_if<Move>(&b);
  if (move_a == nullptr || move_b == nullptr) return move_a == move_b;
  return move_a->kind == move_b->kind && move_a->from == move_b->from && move_a->to == move_b->to;
}

double seconds(const Step& step) {
  return std::visit([](const auto& s) { return s.cost.seconds; }, step);
}

/// The dearest move of the loser that the winner does not make; null if it makes them all.
const Move* dearest_extra_move(const std::vector<Step>& winner, const std::vector<Step>& loser) {
  const Move* dearest = nullptr;
  for (const Step& step : loser) {
    const auto* move = std::get_if<Move>(&step);
    const auto made_by_winner = [&](const Step& other) { return same_step(step, other); };
    if (move == nullptr || std::any_of(winner.begin(), winner.end(), made_by_winner)) continue;
    if (dearest == nullptr || seconds(step) > dearest->cost.seconds) dearest = move;
  }
  return dearest;
}

const LocalProduct* product_of(const std::vector<Step>& steps) {
  for (const Step& step : steps)
    if (const auto* product = std::get_if<LocalProduct>(&step)) return product;
  return nullptr;
}

std::string extra_work(const LocalProduct& winner, const LocalProduct& loser) {
  if (loser.cost.flops <= winner.cost.flops) return "more bytes of memory";
  return fmt::format("{} times the FLOPs", format_number(loser.cost.flops / winner.cost.flops));
}

std::string slower(double extra_seconds, bool overlapped) {
  return fmt::format("{} slower{}", format_seconds(extra_seconds), overlapped ? " with overlap" : "");
}

}  // namespace

std::string explain_loss(const Comparison& comparison, const std::vector<Step>& winner, const std::vector<Step>& loser,
                         const Mesh& mesh) {
  const Price& won = comparison.winner;
  const Price& lost = comparison.loser;
  if (lost.memory_bytes > comparison.memory_limit)
    return fmt::format("needs {} a device, more than {}", format_amount(lost.memory_bytes, "B"),
                       format_amount(comparison.memory_limit, "B"));

  double extra = lost.seconds_sequential() - won.seconds_sequential();
  const double extra_overlapped = lost.seconds_overlapped() - won.seconds_overlapped();
  const bool overlapped = comparison.overlapped && extra_overlapped > 0;
  if (overlapped) extra = extra_overlapped;
  const double extra_bytes = lost.sent_bytes - won.sent_bytes;
  const Move* move = dearest_extra_move(winner, loser);
  const std::string label = move == nullptr ? "" : step_label(*move, mesh) + ": ";
  if (extra > 0) {
    const double extra_product = lost.product_seconds - won.product_seconds;
    if (extra_product > lost.move_seconds - won.move_seconds)
      return fmt::format("local product: {}, {}", extra_work(*product_of(winner), *product_of(loser)),
                         slower(extra, overlapped));
    if (extra_bytes > 0)
      return fmt::format("{}{} more traffic, {}", label, format_amount(extra_bytes, "B"), slower(extra, overlapped));
    return fmt::format("{}{}", label, slower(extra, overlapped));
  }
  if (extra_bytes > 0) return fmt::format("{}as fast, {} more traffic", label, format_amount(extra_bytes, "B"));
  const double extra_memory = lost.memory_bytes - won.memory_bytes;
  if (extra_memory > 0) return fmt::format("{}as fast, {} more memory", label, format_amount(extra_memory, "B"));
  return "costs the same, and comes later in text order";
}

}  // namespace meshmul
