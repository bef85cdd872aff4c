#include "run_comparison.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "base/amounts.hpp"
#include "interrupt.hpp"
#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/tune.hpp"
#include "plan/report/table.hpp"
#include "program_file.hpp"
#include "progress.hpp"
#include "schedule_file.hpp"
#include "units.hpp"

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

}  // namespace

void check_comparison(const RunOptions& options) {
  if (!options.compare) return;
  const StatementOptions& given = options.statement;
  const std::pair<const char*, bool> others[] = {{"--output", !options.outputs.empty()},
                                                 {"--check", options.check},
                                                 {"--timeline", options.timeline},
                                                 {"--html and --trace", wants_pictures(options.pictures)},
                                                 {"--dump", !given.dump.empty()},
                                                 {"--algorithm", given.algorithm != "automatic"},
                                                 {"--design", !given.overlap.designs.empty()}};
  for (const auto& [option, is_given] : others)
    if (is_given) refuse(fmt::format("--compare runs every way to build a plan; leave out {}", option));
  if (is_schedule_file(given.statement) || is_program_file(given.statement))
    refuse(fmt::format("--compare is for statements; {} is a file", given.statement));
}

Answer compare_ways(const RunOptions& options, const Compiled& compiled, const Hardware& hardware,
                    const std::vector<Input>& inputs) {
  constexpr std::int64_t kMostRounds = 10'000;
  const std::int64_t rounds = parse_count(options.rounds, "--rounds", 1, kMostRounds);
  const Executor& backend = read_backend(options.statement);
  Progress progress(STDERR_FILENO);
  RunComparison comparison{
      to_string(compiled.plan.statement, compiled.plan.mesh), hardware.name, std::string(backend.name()), {}};
  std::vector<std::unique_ptr<Session>> sessions;
  for (const Candidate& candidate : compiled.candidates) {
    const Schedule schedule = legalize(lower(compiled.plan, candidate.lower), backend.capabilities());
    sessions.push_back(backend.open(schedule, read_execute_options(options)));
    load_inputs(inputs, schedule, *sessions.back(), progress);
    comparison.ways.push_back({to_string(candidate.lower), candidate.makespan_ps, {}});
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
  for (WayTimes& way : comparison.ways) std::sort(way.measured_seconds.begin(), way.measured_seconds.end());
  return {options.statement.json ? to_text(as_json(comparison)) : as_text(comparison)};
}

std::string as_text(const RunComparison& comparison) {
  std::vector<Row> rows{{"way", "predicted", "measured", "times as long", "least", "most"}};
  for (const WayTimes& way : comparison.ways)
    rows.push_back({way.way, format_seconds(predicted_seconds(way)), format_seconds(way.typical_seconds()),
                    predicted_seconds(way) > 0 ? fmt::format("{:.3f}", ratio(way)) : "",
                    format_seconds(way.measured_seconds.front()), format_seconds(way.measured_seconds.back())});
  return fmt::format(
      "{}\nbackend {}, hardware {}, fastest quarter of {} rounds\n\n{}\nfastest as measured: {}; chosen: {}, {:.1f} % "
      "slower\n",
      comparison.statement, comparison.backend, comparison.hardware, comparison.ways.front().measured_seconds.size(),
      text_table(rows), fastest_measured(comparison).way, comparison.ways.front().way, 100 * loss(comparison));
}

Json as_json(const RunComparison& comparison) {
  Json json{{"statement", comparison.statement},
            {"hardware", comparison.hardware},
            {"backend", comparison.backend},
            {"ways", Json::array()}};
  for (const WayTimes& way : comparison.ways)
    json["ways"].push_back({{"way", way.way},
                            {"predicted_seconds", predicted_seconds(way)},
                            {"measured_seconds", way.typical_seconds()},
                            {"times_as_long", ratio(way)},
                            {"all_measured_seconds", way.measured_seconds}});
  json["fastest_measured"] = fastest_measured(comparison).way;
  json["chosen"] = comparison.ways.front().way;
  json["chosen_is_slower_by"] = loss(comparison);
  return json;
}

}  // namespace meshmul::cli
