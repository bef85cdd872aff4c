// `meshmul hardware [NAME]`: the profiles that plans are priced on.

#include "meshmul/hardware.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>

#include "arguments.hpp"
#include "base/amounts.hpp"
#include "json.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul hardware\n"
    "  meshmul hardware v5e\n"
    "  meshmul hardware mine.toml --json\n\n"
    "A name can carry a slice, v5e:4x4. docs/cost-model.md describes the fields of a profile.";

struct HardwareOptions {
  std::string name;
  bool json = false;
};

Json to_json(const Hardware& hardware) {
  Json flops = Json::object();
  for (const auto& [dtype, rate] : hardware.chip.flops_per_second) flops[std::string(name(dtype))] = rate;
  const Network& network = hardware.network;
  Json json{{"name", hardware.name},
            {"chip", {{"flops_per_second", flops}, {"memory_bytes_per_second", hardware.chip.memory_bytes_per_second}}},
            {"network",
             {{"kind", name(network.kind)},
              {"link_bytes_per_second", network.link_bytes_per_second},
              {"hop_seconds", network.hop_seconds},
              {"largest_slice", network.slices.largest}}},
            {"slice", hardware.slice}};
  if (hardware.chip.memory_bytes) json["chip"]["memory_bytes"] = *hardware.chip.memory_bytes;
  return json;
}

std::string memory_text(const Chip& chip) {
  return chip.memory_bytes ? format_amount(static_cast<double>(*chip.memory_bytes), "B") : "not limited";
}

std::string devices_text(const Network& network) {
  return network.slices.largest.empty() ? "any number of"
                                       : fmt::format("at most {}", fmt::join(network.slices.largest, "x"));
}

std::string one_line(const Hardware& hardware) {
  const Network& network = hardware.network;
  return fmt::format("{:<8} {:>12} {:>12} {:>10}  {} of {} devices, {} a link\n", hardware.name,
                     format_amount(flops_per_second(hardware, Dtype::kBf16), "FLOP/s"), memory_text(hardware.chip),
                     format_amount(hardware.chip.memory_bytes_per_second, "B/s"), name(network.kind),
                     devices_text(network), format_amount(network.link_bytes_per_second, "B/s"));
}

std::string list_as_text() {
  std::string text = fmt::format("{:<8} {:>12} {:>12} {:>10}  {}\n", "name", "bf16", "memory", "", "network");
  for (const std::string& profile : hardware_names()) text += one_line(find_hardware(profile));
  return text;
}

std::string one_as_text(const Hardware& hardware) {
  const Network& network = hardware.network;
  std::string text = hardware.name + "\n";
  for (const auto& [dtype, rate] : hardware.chip.flops_per_second)
    text += fmt::format("  {:<8} {}\n", name(dtype), format_amount(rate, "FLOP/s"));
  text += fmt::format("  memory   {} at {}\n", memory_text(hardware.chip),
                      format_amount(hardware.chip.memory_bytes_per_second, "B/s"));
  text += fmt::format("  network  {} of {} devices, {} {}, {} a hop\n", name(network.kind), devices_text(network),
                      format_amount(network.link_bytes_per_second, "B/s"),
                      network.kind == NetworkKind::kTorus ? "a link and direction" : "a device",
                      format_seconds(network.hop_seconds));
  if (!hardware.slice.empty()) text += fmt::format("  slice    {}\n", fmt::join(hardware.slice, "x"));
  return text;
}

Answer answer(const HardwareOptions& options) {
  if (!options.name.empty()) {
    const Hardware hardware = find_hardware(options.name);
    return {options.json ? to_text(to_json(hardware)) : one_as_text(hardware)};
  }
  if (!options.json) return {list_as_text()};
  Json all = Json::array();
  for (const std::string& profile : hardware_names()) all.push_back(to_json(find_hardware(profile)));
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
