#include "verify_report.hpp"

#include <fmt/format.h>

#include "json.hpp"
#include "schedule/op_count.hpp"
#include "verify/words.hpp"

namespace meshmul::cli {
namespace {

using verification::counted;

/// One a rank and signal.
std::int64_t num_words(const Schedule& schedule) { return std::ssize(schedule.ranks) * std::ssize(schedule.signals); }

Json to_json(const Finding& finding, const Schedule& schedule) {
  Json json{{"rule", name(finding.rule)}, {"sentence", finding.sentence}};
  if (finding.num_alike > 0) json["more_like_it"] = finding.num_alike;
  if (!finding.place) return json;
  const auto& [rank, lane, op] = *finding.place;
  json["rank"] = rank;
  json["lane"] = schedule.ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)].name;
  json["op"] = op;
  json["line"] = line_of(schedule, *finding.place);
  return json;
}

}  // namespace

std::string as_json(const Schedule& schedule, const std::vector<Finding>& findings) {
  Json json{{"proven", findings.empty()},         {"barrier_between_runs", schedule.capabilities.barrier},
            {"ranks", schedule.num_ranks()},      {"ops", num_ops(schedule)},
            {"signals", schedule.signals.size()}, {"words", num_words(schedule)},
            {"buffers", schedule.buffers.size()}, {"bytes_per_rank", bytes_per_rank(schedule)},
            {"findings", Json::array()}};
  if (findings.empty()) json["unused"] = unused_memory(schedule);
  for (const Finding& finding : findings) json["findings"].push_back(to_json(finding, schedule));
  return to_text(json);
}

std::string as_text(const Schedule& schedule, const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += to_string(finding, schedule) + "\n";
  if (!findings.empty()) return text;
  text = fmt::format("proven: no deadlock, no race, every term exactly once, in run after run {}\n",
                     schedule.capabilities.barrier ? "with a barrier between them" : "without a barrier");
  text += fmt::format("{}, {}, {}, {}; {} a rank\n", counted(schedule.num_ranks(), "rank"),
                      counted(num_ops(schedule), "op"), counted(num_words(schedule), "signal word"),
                      counted(std::ssize(schedule.buffers), "buffer"), counted(bytes_per_rank(schedule), "byte"));
  for (const std::string& sentence : unused_memory(schedule)) text += sentence + "\n";
  return text;
}

}  // namespace meshmul::cli
