// `meshmul verify FILE`: proves a schedule in its text form, or says what is wrong with it.

#include "meshmul/verify.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "json.hpp"
#include "meshmul/schedule.hpp"
#include "read_text.hpp"
#include "schedule/op_count.hpp"
#include "units.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul plan 'A[I=8_X, J=4] -> A[I, J]' --mesh X=2 --dump schedule > gather.txt\n"
    "  meshmul verify gather.txt\n"
    "  meshmul verify - --json < gather.txt\n"
    "  meshmul verify gather.txt --memory 16MiB\n\n"
    "docs/schedule-ir.md describes the text form, docs/verify.md the rules. Exits with 1 when there are findings.";

struct VerifyOptions {
  std::string file;
  std::string memory;
  bool json = false;
};

/// One a rank and signal.
std::size_t num_words(const Schedule& schedule) { return schedule.ranks.size() * schedule.signals.size(); }

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
  text += fmt::format("{} ranks, {} ops, {} signal words, {} buffers; {} bytes a rank\n", schedule.num_ranks(),
                      num_ops(schedule), num_words(schedule), schedule.buffers.size(), bytes_per_rank(schedule));
  for (const std::string& sentence : unused_memory(schedule)) text += sentence + "\n";
  return text;
}

Answer answer(const VerifyOptions& options) {
  const Schedule schedule = parse_schedule(read_text(options.file, kLargestSchedule));
  meshmul::VerifyOptions rules;
  if (!options.memory.empty()) rules.memory_bytes = parse_bytes(options.memory, "--memory");
  const std::vector<Finding> findings = verify(schedule, rules);
  return {options.json ? as_json(schedule, findings) : as_text(schedule, findings), findings.empty()};
}

}  // namespace

Verb add_verify(CLI::App& app) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb =
      app.add_subcommand("verify", "Prove that a schedule has no deadlock and no race, and adds every term once");
  add_value(*verb, "FILE", options->file, "A schedule in its text form; - for standard input", "")->required();
  add_value(*verb, "--memory", options->memory, "Most memory that the buffers of a rank may take", "BYTES");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
