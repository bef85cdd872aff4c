#include "cost_comparison.hpp"

#include <fmt/format.h>

#include <array>

#include "base/amounts.hpp"

namespace meshmul::cli {
namespace {

/// What is so where the first side of a crossover is the shorter one, the second, or neither.
using Sides = std::array<std::string_view, 3>;

constexpr Sides kWays{"the first is faster", "the second is faster", "both take as long"};
constexpr Sides kTimes{"the products take longer", "the moves take longer", "moves and products take as long"};

std::string_view side(const Sides& sides, Shorter shorter) { return sides[static_cast<std::size_t>(shorter)]; }

/// `B from 1 to 4096: the first is faster below 2550; above it the second is faster`
std::string crossover_text(const Crossover& crossover, const Sides& sides) {
  const Unknown& unknown = crossover.unknown;
  const std::string range = fmt::format("{} from {:.0f} to {:.0f}: ", unknown.name, unknown.low, unknown.high);
  std::string text = range + std::string(side(sides, crossover.at_low));
  if (crossover.crossings.empty()) return text + " everywhere\n";
  for (const Crossing& crossing : crossover.crossings) {
    text += fmt::format(" below {:.7g}; above it {}", crossing.at, side(sides, crossing.above));
    if (crossing.whole) text += fmt::format(" (of whole sizes from {} on)", *crossing.whole);
  }
  return text + "\n";
}

std::string faster(const CostComparison& comparison, const CostQuestion& question) {
  const double first = seconds(comparison.first.priced, question);
  const double second = seconds(comparison.second.priced, question);
  return first < second ? "first" : second < first ? "second" : "neither";
}

double ratio(const CostComparison& comparison, const CostQuestion& question) {
  return seconds(comparison.first.priced, question) / seconds(comparison.second.priced, question);
}

/// `15.5 ms against 27.3 ms with overlap: the first takes 0.568 times as long`
std::string ratio_text(const CostComparison& comparison, const CostQuestion& question) {
  const double first = seconds(comparison.first.priced, question);
  const double second = seconds(comparison.second.priced, question);
  const std::string times = fmt::format("{} against {}{}: ", format_seconds(first), format_seconds(second),
                                        question.plan.overlapped ? " with overlap" : "");
  if (first == second) return times + "both take as long\n";
  if (second == 0) return times + "the second is free\n";
  return times + fmt::format("the first takes {:.4g} times as long\n", first / second);
}

}  // namespace

std::string as_text(const CostComparison& comparison, const CostQuestion& question) {
  std::string text;
  for (const auto& [label, cost] : {std::pair("first", &comparison.first), std::pair("second", &comparison.second)})
    text += fmt::format("{}: {}\n{}\n", label, to_string(cost->way, question.mesh), steps_text(*cost, question));
  text += ratio_text(comparison, question);
  if (comparison.crossover) text += crossover_text(*comparison.crossover, kWays);
  return text;
}

Json as_json(const CostComparison& comparison, const CostQuestion& question) {
  Json json{{"first", as_json(comparison.first, question)},
            {"second", as_json(comparison.second, question)},
            {"overlapped", question.plan.overlapped},
            {"faster", faster(comparison, question)},
            {"ratio", ratio(comparison, question)}};
  if (comparison.crossover) json["crossover"] = as_json(*comparison.crossover);
  return json;
}

std::string balance_text(const Crossover& balance) { return crossover_text(balance, kTimes); }

Json as_json(const Crossover& crossover) {
  Json json{{"unknown", crossover.unknown.name},
            {"low", crossover.unknown.low},
            {"high", crossover.unknown.high},
            {"shorter_at_low", name(crossover.at_low)},
            {"crossings", Json::array()}};
  for (const Crossing& crossing : crossover.crossings)
    json["crossings"].push_back({{"at", crossing.at},
                                 {"whole", crossing.whole ? Json(*crossing.whole) : Json()},
                                 {"shorter_above", name(crossing.above)}});
  return json;
}

}  // namespace meshmul::cli
