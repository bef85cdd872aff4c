#include "bench_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <thread>

#include "interrupt.hpp"
#include "measure/result_header.hpp"
#include "meshmul/error.hpp"
#include "progress.hpp"

namespace meshmul::cli {
namespace {

/// `Intel(R) Xeon(R) …`, as Linux says; empty if it does not.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const std::size_t colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "";
}

}  // namespace

std::vector<measure::Pairs> measure_in_turn(const std::string& what, const measure::Timed& reference,
                                            const std::vector<measure::Timed>& contenders, const BenchRun& run) {
  Progress progress(STDERR_FILENO);
  progress.begin(what, (run.pairs + 1) * std::ssize(contenders));
  std::vector<measure::Timed> shown;
  for (const measure::Timed& contender : contenders)
    shown.push_back([&progress, &contender] {
      const double seconds = contender();
      progress.advance(1);
      return seconds;
    });
  measure::InTurnOptions options;
  options.rounds = run.pairs;
  options.max_seconds = run.max_seconds;
  options.stop = [] { return interrupted_by() != 0; };
  return measure::measure_in_turn(reference, shown, options);
}

std::string interval_text(const measure::Estimate& estimate) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", estimate.median, estimate.low, estimate.high);
}

Json as_json(const measure::Estimate& estimate) {
  return {{"median", estimate.median}, {"low", estimate.low}, {"high", estimate.high}, {"coverage", estimate.coverage}};
}

std::string conditions_text(const BenchRun& run) {
  const std::optional<int> per_gpu = run.execute.ranks_per_gpu;
  return fmt::format("{} on {}{}; {} cores, {}", run.mesh.str(), run.executor->name(),
                     per_gpu ? fmt::format(", {} ranks per GPU", *per_gpu) : "", std::thread::hardware_concurrency(),
                     processor_name());
}

Json conditions_json(const BenchRun& run) {
  Json json = measure::result_header(
      {.statistic =
           "medians, and intervals that hold the true one with the probability `coverage`; ratios and exposed times "
           "are those of neighbours",
       .warm_up = "one round; before each time once untimed what takes less than 50 ms",
       .pairs = run.pairs,
       .on_gpu = run.executor->name() == "cuda"});
  json["mesh"] = run.mesh.str();
  json["backend"] = run.executor->name();
  json["cores"] = std::thread::hardware_concurrency();
  json["processor"] = processor_name();
  if (run.execute.ranks_per_gpu) json["ranks_per_gpu"] = *run.execute.ranks_per_gpu;
  return json;
}

}  // namespace meshmul::cli
