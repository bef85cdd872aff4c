// `meshmul hardware [NAME]`: the profiles that plans are priced on.

#include "meshmul/hardware.hpp"

#include <memory>
#include <string>

#include "arguments.hpp"
#include "hardware_report.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul hardware\n"
    "  meshmul hardware v5p:4x4x8\n"
    "  meshmul hardware mine.toml --json\n\n"
    "A name can carry a slice: v5e:4x4, or h100:4x8 for four nodes of eight. docs/cost-model.md describes the fields "
    "of a\n"
    "profile.";

struct HardwareOptions {
  std::string name;
  bool json = false;
};

Answer answer(const HardwareOptions& options) {
  if (!options.name.empty()) {
    const Hardware hardware = find_hardware(options.name);
    return {options.json ? to_text(hardware_json(hardware)) : hardware_text(hardware)};
  }
  if (!options.json) return {hardware_list()};
  Json all = Json::array();
  for (const std::string& profile : hardware_names()) all.push_back(hardware_json(find_hardware(profile)));
  return {to_text(all)};
}

}  // namespace

Verb add_hardware(CLI::App& app) {
  const auto options = std::make_shared<HardwareOptions>();
  CLI::App* verb = app.add_subcommand("hardware", "List the hardware profiles, or show one");
  add_value(*verb, "NAME", options->name, "A profile, or the path of a .toml file", "");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
