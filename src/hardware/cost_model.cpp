// The settings of the cost model by name, and their text form.
#include "meshmul/cost_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace meshmul {
namespace {

struct NamedModel {
  std::string_view name;
  CostSettings settings;
};

/// The default comes first: settings that are as near to two names take the text of the first.
constexpr std::array<NamedModel, 3> kModels{{
    {"exact", {}},
    {"book", {.topology = TopologyRule::kWrap, .count = CountRule::kLimit, .latency = LatencyRule::kMax}},
    {"measured", {.latency = LatencyRule::kNone, .measured_bandwidth = true, .efficiency = true}},
}};

/// What `settings` say otherwise than `model`, one phrase each.
std::vector<std::string> differences(const CostSettings& settings, const CostSettings& model) {
  std::vector<std::string> phrases;
  const auto differ = [&](auto field, const std::string& phrase) {
    if (settings.*field != model.*field) phrases.push_back(phrase);
  };
  differ(&CostSettings::topology, fmt::format("topology {}", name(settings.topology)));
  differ(&CostSettings::count, fmt::format("count {}", name(settings.count)));
  differ(&CostSettings::both_ways, settings.both_ways ? "both ways" : "one way");
  differ(&CostSettings::latency, fmt::format("latency {}", name(settings.latency)));
  differ(&CostSettings::measured_bandwidth, settings.measured_bandwidth ? "measured bandwidth" : "nominal bandwidth");
  differ(&CostSettings::in_network_reduction,
         settings.in_network_reduction ? "in-network reduction" : "no in-network reduction");
  differ(&CostSettings::efficiency, settings.efficiency ? "efficiency" : "peak rates");
  return phrases;
}

}  // namespace

std::string_view name(TopologyRule rule) {
  switch (rule) {
    case TopologyRule::kSlice: return "slice";
    case TopologyRule::kWrap: return "wrap";
    case TopologyRule::kLine: return "line";
  }
  __builtin_unreachable();
}

std::string_view name(CountRule rule) {
  switch (rule) {
    case CountRule::kLimit: return "limit";
    case CountRule::kFinite: return "finite";
    case CountRule::kWholeChunk: return "whole-chunk";
  }
  __builtin_unreachable();
}

std::string_view name(LatencyRule rule) {
  switch (rule) {
    case LatencyRule::kMax: return "max";
    case LatencyRule::kSum: return "sum";
    case LatencyRule::kNone: return "none";
  }
  __builtin_unreachable();
}

std::optional<CostSettings> find_cost_model(std::string_view name) {
  const auto model = std::find_if(kModels.begin(), kModels.end(), [&](const auto& m) { return m.name == name; });
  return model == kModels.end() ? std::nullopt : std::optional(model->settings);
}

std::vector<std::string_view> cost_model_names() {
  std::vector<std::string_view> names;
  for (const NamedModel& model : kModels) names.push_back(model.name);
  return names;
}

std::string to_string(const CostSettings& settings) {
  const auto count = [&](const NamedModel& model) { return differences(settings, model.settings).size(); };
  const NamedModel& nearest = *std::min_element(
      kModels.begin(), kModels.end(), [&](const NamedModel& a, const NamedModel& b) { return count(a) < count(b); });
  std::vector<std::string> words = differences(settings, nearest.settings);
  words.insert(words.begin(), std::string(nearest.name));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace meshmul
