#include "hardware/network_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/word_list.hpp"
#include "hardware/profile_ranges.hpp"

namespace meshmul {
namespace {

constexpr std::array<std::string_view, 6> kCollectives = {"AllGather", "ReduceScatter", "AllReduce",
                                                          "AllToAll",  "Permute",       "Redistribute"};

/// Fields that only one kind of network has.
void check_kind(const TomlSection& section, NetworkKind kind) {
  const bool torus = kind == NetworkKind::kTorus;
  for (const std::string_view key : {"nodes", "reduces"})
    if (torus && section.has(key)) section.fail(key, "set", fmt::format("no {} for a torus", key));
  for (const std::string_view key : {"wrap", "dcn_bytes_per_second"})
    if (!torus && section.has(key)) section.fail(key, "set", fmt::format("no {} for a switch", key));
}

WrapRule read_wrap(const TomlSection& section) {
  section.check_keys({"rule", "size"});
  constexpr std::array kKinds = {WrapRule::Kind::kAll, WrapRule::Kind::kNone, WrapRule::Kind::kLength,
                                 WrapRule::Kind::kWholeCubes};
  const std::string text = section.text("rule");
  const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(), [&](auto k) { return name(k) == text; });
  if (kind == kKinds.end()) section.fail("rule", R"("all", "none", "length" or "whole_cubes")");
  WrapRule wrap{*kind, 0};
  if (wrap.kind == WrapRule::Kind::kLength || wrap.kind == WrapRule::Kind::kWholeCubes)
    wrap.size = section.whole("size", kCount);
  else if (section.has("size"))
    section.fail("size", fmt::format("no size with the rule \"{}\"", text));
  return wrap;
}

void check_torus_slices(const TomlSection& section, const SliceRule& rule) {
  for (const std::vector<std::int64_t>& sizes : rule.sizes) {
    if (!std::is_sorted(sizes.begin(), sizes.end())) section.fail("sizes", "each slice in ascending order");
    if (sizes.size() != (rule.largest.empty() ? rule.sizes[0] : rule.largest).size())
      section.fail("sizes", "as many axes in each slice, and in `largest`");
  }
  if (rule.multiple > 0 && rule.largest.empty()) section.fail("multiple", "`largest` with it");
  if (std::any_of(rule.largest.begin(), rule.largest.end(), [&](auto size) { return size < rule.multiple; }))
    section.fail("largest", fmt::format("at least {}, the `multiple`", rule.multiple));
}

SliceRule read_slices(const TomlSection& section, NetworkKind kind) {
  if (kind == NetworkKind::kSwitch)
    section.check_keys({"largest"});
  else
    section.check_keys({"sizes", "multiple", "largest"});
  SliceRule rule;
  if (section.has("sizes")) rule.sizes = section.lists_of_sizes("sizes");
  if (section.has("multiple")) rule.multiple = section.whole("multiple", kCount);
  if (section.has("largest")) rule.largest = section.sizes("largest");
  if (kind == NetworkKind::kTorus)
    check_torus_slices(section, rule);
  else if (rule.largest.size() > 1)
    section.fail("largest", "one number for a switch: its devices in all");
  return rule;
}

NodeNetwork read_nodes(const TomlSection& section) {
  section.check_keys({"devices_per_node", "bytes_per_second", "hop_seconds"});
  return {section.whole("devices_per_node", kCount), section.number("bytes_per_second", kRate),
          section.number("hop_seconds", kSeconds)};
}

MeasuredBandwidth read_measured(const TomlSection& section) {
  section.check_keys({"collective", "bytes", "bytes_per_second"});
  MeasuredBandwidth measured{section.text("collective"), section.numbers("bytes", kBytes),
                             section.numbers("bytes_per_second", kRate)};
  if (std::find(kCollectives.begin(), kCollectives.end(), measured.collective) == kCollectives.end())
    section.fail("collective", word_list({kCollectives.begin(), kCollectives.end()}, "or"));
  if (std::adjacent_find(measured.bytes.begin(), measured.bytes.end(), std::greater_equal<>()) != measured.bytes.end())
    section.fail("bytes", "rising numbers");
  if (measured.bytes.size() != measured.bytes_per_second.size())
    section.fail("bytes_per_second", fmt::format("{} numbers, one for each of `bytes`", measured.bytes.size()));
  return measured;
}

std::vector<MeasuredBandwidth> read_tables(const std::vector<TomlSection>& sections) {
  std::vector<MeasuredBandwidth> tables;
  for (const TomlSection& section : sections) {
    MeasuredBandwidth table = read_measured(section);
    for (const MeasuredBandwidth& before : tables)
      if (before.collective == table.collective) section.fail("collective", "one table for each collective");
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

Network read_network(const TomlSection& section) {
  section.check_keys({"kind", "link_bytes_per_second", "hop_seconds", "full_duplex", "wrap", "slices", "nodes",
                      "reduces", "shared_memory", "dcn_bytes_per_second", "measured"});
  Network network;
  const std::string kind = section.text("kind");
  if (kind != name(NetworkKind::kTorus) && kind != name(NetworkKind::kSwitch))
    section.fail("kind", "\"torus\" or \"switch\"");
  network.kind = kind == name(NetworkKind::kTorus) ? NetworkKind::kTorus : NetworkKind::kSwitch;
  check_kind(section, network.kind);
  network.link_bytes_per_second = section.number("link_bytes_per_second", kRate);
  network.hop_seconds = section.number("hop_seconds", kSeconds);
  if (section.has("full_duplex")) network.full_duplex = section.boolean("full_duplex");
  if (section.has("reduces")) network.reduces = section.boolean("reduces");
  if (section.has("shared_memory")) network.shared_memory = section.boolean("shared_memory");
  if (section.has("wrap")) network.wrap = read_wrap(section.section("wrap"));
  if (section.has("slices")) network.slices = read_slices(section.section("slices"), network.kind);
  if (section.has("nodes")) network.nodes = read_nodes(section.section("nodes"));
  if (section.has("dcn_bytes_per_second")) network.dcn_bytes_per_second = section.number("dcn_bytes_per_second", kRate);
  network.measured = read_tables(section.sections("measured"));
  return network;
}

}  // namespace meshmul
