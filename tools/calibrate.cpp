// `meshmul calibrate`: measures this machine, and writes the profile `local`.

#include "meshmul/calibrate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "arguments.hpp"
#include "base/option_values.hpp"
#include "calibrate_report.hpp"
#include "hardware_report.hpp"
#include "interrupt.hpp"
#include "io/atomic_file.hpp"
#include "meshmul/error.hpp"
#include "progress.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul calibrate\n"
    "  meshmul calibrate --quick -o ./local.toml\n"
    "  meshmul run 'A[I=4096_X, J=4096] * B[J_X, K=4096] -> C[I_X, K]' --mesh X=2 --random --hardware local "
    "--compare\n\n"
    "All cores should have nothing else to do meanwhile. --hardware local finds the profile where it is written by\n"
    "default: $XDG_CONFIG_HOME/meshmul/local.toml, or ~/.config/meshmul/local.toml.";

struct CalibrateVerbOptions {
  std::string output;
  std::string ranks = "0";
  std::string backend = "threads";
  bool quick = false;
  bool json = false;
};

/// Makes the folder of the default place, and finds out whether a file can be written there before the work begins.
std::string writable_output(const CalibrateVerbOptions& options) {
  const bool is_default = options.output.empty();
  const std::string path = is_default ? local_profile_path() : options.output;
  if (path.empty())
    throw Error(ErrorCode::kInvalidArgument,
                "neither XDG_CONFIG_HOME nor HOME is set, so the profile has no place; name a file with --output");
  if (is_default) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  }
  const AtomicFile removed_when_it_ends(path, 0);
  return path;
}

CalibrateOptions read_options(const CalibrateVerbOptions& options) {
  CalibrateOptions calibrate = options.quick ? quick_calibration() : CalibrateOptions{};
  calibrate.ranks = static_cast<int>(parse_count(options.ranks, "--ranks", 0, 1024));
  constexpr std::string_view kBackends[] = {"threads", "processes"};
  calibrate.backend = kBackends[choose(options.backend, "--backend", {"threads", "processes"})];
  calibrate.interrupted = [] { return interrupted_by() != 0; };
  return calibrate;
}

Answer answer(const CalibrateVerbOptions& options) {
  catch_interrupts();
  CalibrateOptions calibrate_options = read_options(options);
  const std::string path = writable_output(options);
  Progress progress(STDERR_FILENO);
  calibrate_options.on = [&](std::string_view what) {
    stop_if_interrupted();
    progress.begin("measuring " + std::string(what));
  };
  const Calibration calibration = calibrate(calibrate_options);
  progress.end();
  write_file(path, to_toml(calibration.hardware, "This machine, as meshmul calibrate measured it."));
  if (options.json) return {to_text(hardware_json(calibration.hardware))};
  return {calibration_text(calibration) + fmt::format("\nwritten to {}\n", path)};
}

}  // namespace

Verb add_calibrate(CLI::App& app) {
  const auto options = std::make_shared<CalibrateVerbOptions>();
  CLI::App* verb = app.add_subcommand("calibrate", "Measure this machine, and write the hardware profile local");
  add_value(*verb, "-o,--output", options->output, "Where the profile goes; default: where --hardware local finds it",
            "FILE");
  add_value(*verb, "--ranks", options->ranks, "Ranks that work at once; 0: one for each core", "NUMBER")
      ->capture_default_str();
  add_value(*verb, "--backend", options->backend, "What ranks are: threads, processes", "NAME")->capture_default_str();
  verb->add_flag("--quick", options->quick, "Measure less, within some ten seconds");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
