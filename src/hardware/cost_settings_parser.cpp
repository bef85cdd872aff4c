// Reads the settings of the cost model: a name, then what differs from it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "base/did_you_mean.hpp"
#include "meshmul/cost_model.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

struct Phrase {
  std::string text;
  std::function<void(CostSettings&)> apply;
};

template <class Value>
Phrase phrase(std::string text, Value CostSettings::* field, Value value) {
  return {std::move(text), [field, value](CostSettings& settings) { settings.*field = value; }};
}

/// Everything that may stand behind the name.
const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> kPhrases = [] {
    std::vector<Phrase> all;
    for (const TopologyRule rule : {TopologyRule::kSlice, TopologyRule::kWrap, TopologyRule::kLine})
      all.push_back(phrase(fmt::format("topology {}", name(rule)), &CostSettings::topology, rule));
    for (const CountRule rule : {CountRule::kLimit, CountRule::kFinite, CountRule::kWholeChunk})
      all.push_back(phrase(fmt::format("count {}", name(rule)), &CostSettings::count, rule));
    for (const LatencyRule rule : {LatencyRule::kMax, LatencyRule::kSum, LatencyRule::kNone})
      all.push_back(phrase(fmt::format("latency {}", name(rule)), &CostSettings::latency, rule));
    all.push_back(phrase("both ways", &CostSettings::both_ways, true));
    all.push_back(phrase("one way", &CostSettings::both_ways, false));
    all.push_back(phrase("measured bandwidth", &CostSettings::measured_bandwidth, true));
    all.push_back(phrase("nominal bandwidth", &CostSettings::measured_bandwidth, false));
    all.push_back(phrase("in-network reduction", &CostSettings::in_network_reduction, true));
    all.push_back(phrase("no in-network reduction", &CostSettings::in_network_reduction, false));
    all.push_back(phrase("efficiency", &CostSettings::efficiency, true));
    all.push_back(phrase("peak rates", &CostSettings::efficiency, false));
    return all;
  }();
  return kPhrases;
}

[[noreturn]] void fail(std::string_view text, std::string_view found, bool is_first) {
  std::vector<std::string> known;
  if (is_first)
    for (const std::string_view model : cost_model_names()) known.emplace_back(model);
  for (const Phrase& phrase : phrases()) known.push_back(phrase.text);
  const auto offset = static_cast<std::size_t>(found.data() - text.data());
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("'{}' is not a setting of the cost model; expected {}{}", found, fmt::join(known, ", "),
                          did_you_mean(found, known)),
              TextPlace{std::string(text), offset, std::max<std::size_t>(found.size(), 1)});
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

CostSettings parse_cost_settings(std::string_view text) {
  CostSettings settings;
  bool is_first = true;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view found = trimmed(text.substr(begin, end - begin));
    const auto same = [&](const Phrase& phrase) { return phrase.text == found; };
    const auto known = std::find_if(phrases().begin(), phrases().end(), same);
    if (const auto model = find_cost_model(found); is_first && model)
      settings = *model;
    else if (known != phrases().end())
      known->apply(settings);
    else
      fail(text, found, is_first);
    is_first = false;
    begin = end + 1;
  }
  return settings;
}

}  // namespace meshmul
