#include "run_comparison.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/amounts.hpp"
#include "base/option_values.hpp"
#include "interrupt.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/tune.hpp"
#include "plan/report/table.hpp"
#include "program_file.hpp"
#include "progress.hpp"
#include "run_report.hpp"
#include "schedule_file.hpp"

namespace meshmul::cli {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

double predicted_seconds(const WayTimes& way) { return static_cast<double>(way.predicted_ps) * 1e-12; }

/// How many times as long as predicted.
double ratio(const WayTimes& way) { return way.typical_seconds() / predicted_seconds(way); }

const WayTimes& fastest_measured(const RunComparison& comparison) {
  return *std::min_element(comparison.ways.begin(), comparison.ways.end(), [](const WayTimes& a, const WayTimes& b) {
    return a.typical_seconds() < b.typical_seconds();
  });
}

/// Of the way that is predicted to be the fastest, against the fastest.
double loss(const RunComparison& comparison) {
  return comparison.ways.front().typical_seconds() / fastest_measured(comparison).typical_seconds() - 1;
}

/// What is met again and again moves into the caches by and by.
void warm_up(Session& session) {
  constexpr double kSeconds = 0.02;
  constexpr int kMostRuns = 8;
  double seconds = 0;
  for (int run = 0; run < kMostRuns && seconds < kSeconds; ++run) seconds += session.run().seconds;
}

bool is_right(const RunComparison& comparison) { return std::ranges::all_of(comparison.ways, &WayTimes::is_right); }

template <class AnyCompiled>
Answer compare(const RunOptions& options, const AnyCompiled& compiled, const ComparisonTask& task) {
  constexpr std::int64_t kMostRounds = 10'000;
  const std::int64_t rounds = parse_count(options.rounds, "--rounds", 1, kMostRounds);
  const Executor& backend = read_backend(options.statement);
  Progress progress(STDERR_FILENO);
  RunComparison comparison{
      task.subject, std::is_same_v<AnyCompiled, CompiledProgram>, task.hardware.name, std::string(backend.name()), {}};
  std::vector<Schedule> schedules;
  for (const auto& candidate : compiled.candidates) {
    if (task.memory_bytes && candidate.bytes_per_rank > *task.memory_bytes) continue;
    schedules.push_back(legalize(lower(compiled.plan, candidate.lower), backend.capabilities()));
    if (!options.no_verify) prove(schedules.back());
    comparison.ways.push_back({to_string(candidate.lower), candidate.makespan_ps, {}, {}});
  }
  if (schedules.empty()) refuse("--compare has nothing to compare: no way to build the plan can be simulated");
  std::vector<std::unique_ptr<Session>> sessions;
  for (const Schedule& schedule : schedules) {
    sessions.push_back(backend.open(schedule, read_execute_options(options)));
    load_inputs(task.inputs, schedule, *sessions.back(), progress);
  }
  progress.begin("running", rounds * std::ssize(sessions));
  for (std::int64_t round = 0; round < rounds; ++round)
    for (std::size_t way = 0; way < sessions.size(); ++way) {
      stop_if_interrupted();
      warm_up(*sessions[way]);
      comparison.ways[way].measured_seconds.push_back(sessions[way]->run().seconds);
      progress.advance(1);
    }
  progress.end();
  for (std::size_t way = 0; way < sessions.size(); ++way) {
    std::sort(comparison.ways[way].measured_seconds.begin(), comparison.ways[way].measured_seconds.end());
    if (task.check) comparison.ways[way].checks = task.check(schedules[way], *sessions[way], progress);
  }
  return {options.statement.json ? to_text(as_json(comparison)) : as_text(comparison), is_right(comparison)};
}

}  // namespace

void check_comparison(const RunOptions& options) {
  if (!options.compare) return;
  const StatementOptions& given = options.statement;
  const std::pair<const char*, bool> others[] = {{"--output", !options.outputs.empty()},
                                                 {"--timeline", options.timeline},
                                                 {"--html and --trace", wants_pictures(options.pictures)},
                                                 {"--dump", !given.dump.empty()},
                                                 {"--algorithm", given.algorithm != "automatic"},
                                                 {"--design", !given.overlap.designs.empty()}};
  for (const auto& [option, is_given] : others)
    if (is_given) refuse(fmt::format("--compare runs every way to build a plan; leave out {}", option));
  if (is_schedule_file(given.statement) && !is_program_file(given.statement))
    refuse(fmt::format("--compare is for statements and programs; {} is built already", given.statement));
}

Answer compare_ways(const RunOptions& options, const Compiled& compiled, const ComparisonTask& task) {
  return compare(options, compiled, task);
}

Answer compare_ways(const RunOptions& options, const CompiledProgram& compiled, const ComparisonTask& task) {
  return compare(options, compiled, task);
}

bool WayTimes::is_right() const {
  return std::ranges::all_of(checks, [](const OutputCheck& check) { return check.result.ok; });
}

std::string as_text(const RunComparison& comparison) {
  const bool is_checked = !comparison.ways.front().checks.empty();
  std::vector<Row> rows{{"way", "predicted", "measured", "times as long", "least", "most"}};
  if (is_checked) rows.front().push_back("check");
  std::string faults;
  for (const WayTimes& way : comparison.ways) {
    rows.push_back({way.way, format_seconds(predicted_seconds(way)), format_seconds(way.typical_seconds()),
                    predicted_seconds(way) > 0 ? fmt::format("{:.3f}", ratio(way)) : "",
                    format_seconds(way.measured_seconds.front()), format_seconds(way.measured_seconds.back())});
    if (is_checked) rows.back().push_back(way.is_right() ? "passed" : "failed");
    if (!way.is_right()) faults += fmt::format("\n{}\n{}", way.way, checks_text(way.checks));
  }
  return fmt::format(
             "{}\nbackend {}, hardware {}, fastest quarter of {} rounds\n\n{}\n"
             "fastest as measured: {}; chosen: {}, {:.1f} % slower\n",
             comparison.subject, comparison.backend, comparison.hardware,
             comparison.ways.front().measured_seconds.size(), text_table(rows), fastest_measured(comparison).way,
             comparison.ways.front().way, 100 * loss(comparison)) +
         faults;
}

Json as_json(const RunComparison& comparison) {
  Json json{{comparison.is_program ? "program" : "statement", comparison.subject},
            {"hardware", comparison.hardware},
            {"backend", comparison.backend},
            {"ways", Json::array()}};
  for (const WayTimes& way : comparison.ways) {
    json["ways"].push_back({{"way", way.way},
                            {"predicted_seconds", predicted_seconds(way)},
                            {"measured_seconds", way.typical_seconds()},
                            {"times_as_long", ratio(way)},
                            {"all_measured_seconds", way.measured_seconds}});
    if (!way.checks.empty()) json["ways"].back()["check"] = checks_json(way.checks);
  }
  json["fastest_measured"] = fastest_measured(comparison).way;
  json["chosen"] = comparison.ways.front().way;
  json["chosen_is_slower_by"] = loss(comparison);
  return json;
}

}  // namespace meshmul::cli
