#include "plan/report/step_text.hpp"

#include <fmt/format.h>

#include "base/amounts.hpp"
#include "notation/collective_type.hpp"
#include "notation/print.hpp"

namespace meshmul {
namespace {

/// The two times that make the time of a step: `1.118 ms of bytes, 6 us of hops`; the one that there is alone is the time.
std::string parts(const Step& step, const StepCost& cost) {
  const bool is_move = std::holds_alternative<Move>(step);
  const double first = is_move ? cost.byte_seconds : cost.compute_seconds;
  const double second = is_move ? cost.hop_seconds : cost.memory_seconds;
  if (first == 0 || second == 0) return "";
  return fmt::format("{} of {}, {} of {}", format_seconds(first), is_move ? "bytes" : "arithmetic",
                     format_seconds(second), is_move ? "hops" : "memory");
}

}  // namespace

std::string step_label(const Step& step, const Mesh& mesh) {
  const auto* move = std::get_if<Move>(&step);
  if (move == nullptr) return "local product";
  if (move->axes.empty()) return fmt::format("copy of {}", move->from.name);
  return fmt::format("{}_{} of {}", name(move->kind), notation::axes_text(move->axes, mesh), move->from.name);
}

std::string step_labels(const std::vector<Step>& steps, const Mesh& mesh) {
  std::string text;
  for (const Step& step : steps) text += (text.empty() ? "" : ", ") + step_label(step, mesh);
  return text;
}

std::string type_change(const Step& step, const Mesh& mesh) {
  const auto text = [&](const ArrayType& type) { return notation::short_text(type, mesh); };
  if (const auto* product = std::get_if<LocalProduct>(&step))
    return fmt::format("{} * {} -> {}", text(product->a), text(product->b), text(product->c));
  const Move& move = std::get<Move>(step);
  return fmt::format("{} -> {}", text(move.from), text(move.to));
}

std::string in_notation(const Step& step, const Mesh& mesh) {
  const auto* move = std::get_if<Move>(&step);
  if (move == nullptr) return type_change(step, mesh);
  if (move->kind == MoveKind::kSlice && !move->axes.empty()) return "slice " + type_change(step, mesh);
  const auto collective = notation::find_collective(move->from, move->to, mesh);
  if (!collective) return type_change(step, mesh);
  const auto& [kind, axes, dim, from, to] = *collective;
  const std::string target = dim ? "," + from.dims[static_cast<std::size_t>(*dim)].index : "";
  return fmt::format("{}_{}{}({})", name(kind), notation::axes_text(axes, mesh), target,
                     notation::short_text(from, mesh));
}

Row step_row(const Step& step, const Mesh& mesh) {
  const StepCost& cost = std::visit([](const auto& s) -> const StepCost& { return s.cost; }, step);
  const bool is_move = std::holds_alternative<Move>(step);
  return {step_label(step, mesh),
          type_change(step, mesh),
          is_move ? format_amount(cost.bytes, "B") : format_amount(cost.flops, "FLOP"),
          is_move && cost.hops > 0 ? fmt::format("{:g} {}", cost.hops, cost.hops == 1 ? "hop" : "hops") : "",
          cost.bound == Bound::kNone ? "free" : std::string(name(cost.bound)),
          format_seconds(cost.seconds),
          parts(step, cost)};
}

}  // namespace meshmul
