#include "hardware_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/amounts.hpp"
#include "base/word_list.hpp"

namespace meshmul::cli {
namespace {

using Slice = std::vector<std::int64_t>;

std::string slice_text(const Slice& slice) { return fmt::format("{}", fmt::join(slice, "x")); }

std::string bytes_text(const std::optional<std::int64_t>& bytes) {
  return bytes ? format_amount(static_cast<double>(*bytes), "B") : "not limited";
}

/// `90 GB/s a link and direction`.
std::string bandwidth_text(const Network& network) {
  const std::string_view of = network.kind == NetworkKind::kSwitch ? "a device"
                              : network.full_duplex                ? "a link and direction"
                                                                   : "a link";
  return fmt::format("{} {}", format_amount(network.link_bytes_per_second, "B/s"), of);
}

/// `torus up to 16x16`, `switch, nodes of 8`: for one line.
std::string extent_text(const Network& network) {
  if (network.nodes) return fmt::format("{}, nodes of {}", name(network.kind), network.nodes->devices_per_node);
  const SliceRule& slices = network.slices;
  if (slices.largest.empty() && slices.sizes.empty()) return fmt::format("{} of any size", name(network.kind));
  return fmt::format("{} up to {}", name(network.kind),
                     slice_text(slices.largest.empty() ? slices.sizes.back() : slices.largest));
}

std::string wrap_text(const WrapRule& wrap) {
  switch (wrap.kind) {
    case WrapRule::Kind::kAll: return "every axis";
    case WrapRule::Kind::kNone: return "no axis";
    case WrapRule::Kind::kLength: return fmt::format("axes of {}", wrap.size);
    case WrapRule::Kind::kWholeCubes:
      return fmt::format("every axis of slices whose sizes are multiples of {}", wrap.size);
  }
  __builtin_unreachable();
}

std::string slices_text(const SliceRule& slices) {
  std::vector<std::string> kinds;
  for (const Slice& slice : slices.sizes) kinds.push_back(slice_text(slice));
  if (slices.multiple > 0)
    kinds.push_back(fmt::format("multiples of {} up to {}", slices.multiple, slice_text(slices.largest)));
  else if (slices.sizes.empty())
    kinds.push_back(slices.largest.empty() ? "any" : fmt::format("any up to {}", slice_text(slices.largest)));
  return word_list(kinds, "and") + ", in any order of axes";
}

/// `axis 0 a ring of 4 and axis 1 a line of 8`.
std::string axes_text(const Hardware& hardware) {
  std::vector<std::string> axes;
  for (std::size_t axis = 0; axis < hardware.slice.size(); ++axis)
    axes.push_back(fmt::format("axis {} a {} of {}", axis,
                               wraps(hardware, hardware.slice, static_cast<int>(axis)) ? "ring" : "line",
                               hardware.slice[axis]));
  return word_list(axes, "and");
}

/// A line of the report of one profile.
std::string line(std::string_view field, std::string_view text) { return fmt::format("  {:<12} {}\n", field, text); }

std::string chip_text(const Chip& chip) {
  std::string text;
  for (const auto& [dtype, rate] : chip.flops_per_second) text += line(name(dtype), format_amount(rate, "FLOP/s"));
  if (chip.efficiency < 1)
    text += line("efficiency", fmt::format("{:g} % of that, what large products reach", 100 * chip.efficiency));
  text += line("cores", fmt::format("{}", chip.cores));
  if (chip.matrix_unit > 1)
    text += line("matrix unit", fmt::format("sizes are padded to multiples of {}", chip.matrix_unit));
  text += line("memory", fmt::format("{} at {}", bytes_text(chip.memory_bytes),
                                     format_amount(chip.memory_bytes_per_second, "B/s")));
  if (chip.on_chip_bytes)
    text += line("on chip", chip.on_chip_bytes_per_second
                                ? fmt::format("{} at {}", bytes_text(chip.on_chip_bytes),
                                              format_amount(*chip.on_chip_bytes_per_second, "B/s"))
                                : bytes_text(chip.on_chip_bytes));
  if (chip.copy_engines) text += line("copy engines", fmt::format("{}", *chip.copy_engines));
  return text;
}

std::string network_text(const Network& network) {
  std::string text = line("network", fmt::format("{}, {}, {} a hop", name(network.kind), bandwidth_text(network),
                                                 format_seconds(network.hop_seconds)));
  if (network.nodes)
    text += line("nodes", fmt::format("of {}, {} a node, {} a hop", network.nodes->devices_per_node,
                                      format_amount(network.nodes->bytes_per_second, "B/s"),
                                      format_seconds(network.nodes->hop_seconds)));
  if (network.reduces) text += line("reduction", "the switch can add up partial sums");
  if (network.kind == NetworkKind::kTorus) {
    text += line("rings", wrap_text(network.wrap));
    text += line("slices", slices_text(network.slices));
  } else if (!network.slices.largest.empty()) {
    text += line("slices", fmt::format("at most {} devices", network.slices.largest[0]));
  }
  if (network.dcn_bytes_per_second)
    text += line("dcn", format_amount(*network.dcn_bytes_per_second, "B/s") + " a device, to other slices");
  for (const MeasuredBandwidth& table : network.measured)
    text +=
        line("measured",
             fmt::format("{}: {} at {} to {} at {}", table.collective,
                         format_amount(table.bytes_per_second.front(), "B/s"), format_amount(table.bytes.front(), "B"),
                         format_amount(table.bytes_per_second.back(), "B/s"), format_amount(table.bytes.back(), "B")));
  return text;
}

Json chip_json(const Chip& chip) {
  Json flops = Json::object();
  for (const auto& [dtype, rate] : chip.flops_per_second) flops[std::string(name(dtype))] = rate;
  Json json{{"flops_per_second", flops},
            {"efficiency", chip.efficiency},
            {"memory_bytes_per_second", chip.memory_bytes_per_second}};
  if (chip.memory_bytes) json["memory_bytes"] = *chip.memory_bytes;
  if (chip.on_chip_bytes) json["on_chip_bytes"] = *chip.on_chip_bytes;
  if (chip.on_chip_bytes_per_second) json["on_chip_bytes_per_second"] = *chip.on_chip_bytes_per_second;
  json["cores"] = chip.cores;
  json["matrix_unit"] = chip.matrix_unit;
  if (chip.copy_engines) json["copy_engines"] = *chip.copy_engines;
  return json;
}

Json slices_json(const SliceRule& slices) {
  Json json = Json::object();
  if (!slices.sizes.empty()) json["sizes"] = slices.sizes;
  if (slices.multiple > 0) json["multiple"] = slices.multiple;
  if (!slices.largest.empty()) json["largest"] = slices.largest;
  return json;
}

Json torus_json(const Network& network) {
  Json json{{"full_duplex", network.full_duplex}, {"wrap", {{"rule", name(network.wrap.kind)}}}};
  if (network.wrap.size > 0) json["wrap"]["size"] = network.wrap.size;
  if (network.dcn_bytes_per_second) json["dcn_bytes_per_second"] = *network.dcn_bytes_per_second;
  return json;
}

Json switch_json(const Network& network) {
  Json json{{"full_duplex", network.full_duplex}, {"reduces", network.reduces}};
  if (network.nodes)
    json["nodes"] = {{"devices_per_node", network.nodes->devices_per_node},
                     {"bytes_per_second", network.nodes->bytes_per_second},
                     {"hop_seconds", network.nodes->hop_seconds}};
  return json;
}

Json network_json(const Network& network) {
  Json json{{"kind", name(network.kind)},
            {"link_bytes_per_second", network.link_bytes_per_second},
            {"hop_seconds", network.hop_seconds}};
  json.update(network.kind == NetworkKind::kTorus ? torus_json(network) : switch_json(network));
  json["slices"] = slices_json(network.slices);
  json["measured"] = Json::array();
  for (const MeasuredBandwidth& table : network.measured)
    json["measured"].push_back(
        {{"collective", table.collective}, {"bytes", table.bytes}, {"bytes_per_second", table.bytes_per_second}});
  return json;
}

std::string host_text(const Host& host) {
  std::vector<std::string> dtypes;
  for (const ProductTimes& times : host.products) dtypes.emplace_back(name(times.dtype));
  std::string text =
      line("host", fmt::format("{}, {} an op, a signal is noticed after {}, by who sleeps after {}",
                               host.cores ? fmt::format("{} cores", *host.cores) : "a core for each rank",
                               format_seconds(host.op_seconds), format_seconds(host.notice_seconds),
                               format_seconds(host.wake_seconds)));
  if (!dtypes.empty()) text += line("products", fmt::format("measured for {}", word_list(dtypes, "and")));
  return text;
}

Json rates_json(const FootprintRates& rates) {
  Json json{{"footprint_bytes", rates.footprint_bytes}, {"bytes_per_second", rates.bytes_per_second}};
  if (!rates.busy_bytes_per_second.empty()) json["busy_bytes_per_second"] = rates.busy_bytes_per_second;
  return json;
}

Json host_json(const Host& host) {
  Json json = Json::object();
  if (host.cores) json["cores"] = *host.cores;
  json.update({{"op_seconds", host.op_seconds},
               {"notice_seconds", host.notice_seconds},
               {"wake_seconds", host.wake_seconds},
               {"sleep_after_seconds", host.sleep_after_seconds},
               {"runs", {{"footprint_bytes", host.runs.footprint_bytes}, {"seconds", host.runs.seconds}}},
               {"copies", rates_json(host.copies)},
               {"gets", rates_json(host.gets)},
               {"reductions", rates_json(host.reductions)},
               {"sums", rates_json(host.sums)},
               {"maps", rates_json(host.maps)},
               {"products", Json::array()}});
  if (host.streams)
    json["streams"] = {{"least_bytes", host.streams->least_bytes},
                       {"copies", rates_json(host.streams->copies)},
                       {"gets", rates_json(host.streams->gets)},
                       {"sums", rates_json(host.streams->sums)}};
  for (const ProductTimes& times : host.products)
    json["products"].push_back(
        {{"dtype", name(times.dtype)}, {"m", times.m}, {"n", times.n}, {"k", times.k}, {"seconds", times.seconds}});
  return json;
}

}  // namespace

std::string hardware_list() {
  std::string text = fmt::format("{:<8} {:>12} {:>12} {:>10}  {}\n", "name", "bf16", "memory", "", "network");
  for (const std::string& profile : hardware_names()) {
    const Hardware hardware = find_hardware(profile);
    text +=
        fmt::format("{:<8} {:>12} {:>12} {:>10}  {}, {}\n", hardware.name,
                    format_amount(flops_per_second(hardware, Dtype::kBf16), "FLOP/s"),
                    bytes_text(hardware.chip.memory_bytes), format_amount(hardware.chip.memory_bytes_per_second, "B/s"),
                    extent_text(hardware.network), bandwidth_text(hardware.network));
  }
  return text;
}

std::string hardware_text(const Hardware& hardware) {
  std::string text = hardware.name + "\n" + chip_text(hardware.chip) + network_text(hardware.network);
  if (hardware.host) text += host_text(*hardware.host);
  if (hardware.slice.empty()) return text;
  std::string slice = slice_text(hardware.slice);
  if (hardware.network.kind == NetworkKind::kTorus)
    slice += ": " + axes_text(hardware);
  else if (hardware.slice.size() == 2)
    slice += fmt::format(": {} nodes, {} devices in each", hardware.slice[0], hardware.slice[1]);
  return text + line("slice", slice);
}

Json hardware_json(const Hardware& hardware) {
  Json json{{"name", hardware.name},
            {"chip", chip_json(hardware.chip)},
            {"network", network_json(hardware.network)},
            {"slice", hardware.slice}};
  if (hardware.host) json["host"] = host_json(*hardware.host);
  if (hardware.network.kind == NetworkKind::kTorus) {
    json["wraps"] = Json::array();
    for (std::size_t axis = 0; axis < hardware.slice.size(); ++axis)
      json["wraps"].push_back(wraps(hardware, hardware.slice, static_cast<int>(axis)));
  }
  return json;
}

}  // namespace meshmul::cli
