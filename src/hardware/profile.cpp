// Reads a profile from TOML. Every key must be known and every figure sensible, so that a slip of the pen is an error
// and not a slow machine.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hardware/host_profile.hpp"
#include "hardware/network_profile.hpp"
#include "hardware/profile_ranges.hpp"
#include "hardware/toml_section.hpp"
#include "meshmul/error.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

std::map<Dtype, double> read_flops(const TomlSection& section) {
  std::map<Dtype, double> rates;
  for (const auto& [key, node] : section.table()) {
    const std::optional<Dtype> dtype = parse_dtype(key.str());
    if (!dtype) section.fail(key.str(), "not the rate of a dtype", "f64, f32, bf16, f16, f8e4m3, i8 or i32");
    rates[*dtype] = section.number(key.str(), kRate);
  }
  return rates;
}

Chip read_chip(const TomlSection& section) {
  section.check_keys({"memory_bytes", "memory_bytes_per_second", "flops_per_second", "efficiency", "on_chip_bytes",
                      "on_chip_bytes_per_second", "cores", "matrix_unit", "copy_engines"});
  Chip chip;
  chip.flops_per_second = read_flops(section.section("flops_per_second"));
  if (chip.flops_per_second.empty())
    section.fail("flops_per_second", "empty", "the rate of a dtype, such as bf16 = 1e12");
  chip.memory_bytes_per_second = section.number("memory_bytes_per_second", kRate);
  if (section.has("memory_bytes")) chip.memory_bytes = section.whole("memory_bytes", kBytes);
  if (section.has("efficiency")) chip.efficiency = section.number("efficiency", kShare);
  if (section.has("on_chip_bytes")) chip.on_chip_bytes = section.whole("on_chip_bytes", kBytes);
  if (section.has("on_chip_bytes_per_second") && !chip.on_chip_bytes)
    section.fail("on_chip_bytes_per_second", "`on_chip_bytes` with it");
  if (section.has("on_chip_bytes_per_second"))
    chip.on_chip_bytes_per_second = section.number("on_chip_bytes_per_second", kRate);
  if (section.has("cores")) chip.cores = static_cast<int>(section.whole("cores", kCount));
  if (section.has("matrix_unit")) chip.matrix_unit = section.whole("matrix_unit", kCount);
  if (section.has("copy_engines")) chip.copy_engines = static_cast<int>(section.whole("copy_engines", kCount));
  return chip;
}

/// toml++ makes a table of every part of `a.a.a…`, and lets go of them by recursion: some ten thousand would end the
/// program. It limits the depth of values itself, so a limit on the keys of a line is enough.
void refuse_deep_keys(std::string_view toml_text, const std::string& file_name) {
  constexpr std::ptrdiff_t kMostDots = 100;
  std::int64_t line = 0;
  for (std::size_t begin = 0; begin < toml_text.size(); ++line) {
    const std::size_t end = std::min(toml_text.find('\n', begin), toml_text.size());
    const std::string_view text = toml_text.substr(begin, end - begin);
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    if (!text.substr(first).starts_with('#') && std::count(text.begin(), text.end(), '.') > kMostDots)
      throw Error(ErrorCode::kInvalidArgument, fmt::format("{}:{}: has more than {} dots; expected keys of few parts",
                                                           file_name, line + 1, kMostDots));
    begin = end + 1;
  }
}

toml::table parse_toml(std::string_view toml_text, const std::string& file_name) {
  refuse_deep_keys(toml_text, file_name);
  try {
    return toml::parse(toml_text, file_name);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}:{}: {}; expected TOML", file_name, error.source().begin.line, error.description()));
  }
}

/// Reports print the name as it stands.
bool is_control(unsigned char c) { return c < ' ' || c == 0x7f; }

}  // namespace

Hardware load_hardware(std::string_view toml_text, const std::string& file_name) {
  const toml::table table = parse_toml(toml_text, file_name);
  const TomlSection top(table, "", file_name);
  top.check_keys({"name", "chip", "network", "host"});
  Hardware hardware;
  hardware.name = top.text("name");
  if (std::any_of(hardware.name.begin(), hardware.name.end(), is_control))
    top.fail("name", "a text with control characters", "one without");
  hardware.chip = read_chip(top.section("chip"));
  hardware.network = read_network(top.section("network"));
  if (top.has("host")) hardware.host = read_host(top.section("host"));
  return hardware;
}

}  // namespace meshmul
