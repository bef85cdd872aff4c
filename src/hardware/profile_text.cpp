// Writes a profile as TOML, as the reader wants it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

// A text that is read back to the same.
std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + "\"";
}

// Keys with one value each, below a heading.
class Section {
 public:
  explicit Section(std::string_view heading) : text_(fmt::format("\n{}\n", heading)) {}

  Section& add(std::string_view key, double value) { return line(key, fmt::format("{}", value)); }
  Section& add(std::string_view key, std::int64_t value) { return line(key, fmt::format("{}", value)); }
  Section& add(std::string_view key, bool value) { return line(key, value ? "true" : "false"); }
  Section& add(std::string_view key, std::string_view value) { return line(key, toml_string(value)); }
  Section& add(std::string_view key, const std::vector<double>& values) {
    return line(key, fmt::format("[{}]", fmt::join(values, ", ")));
  }
  Section& add(std::string_view key, const std::vector<std::int64_t>& values) {
    return line(key, fmt::format("[{}]", fmt::join(values, ", ")));
  }
  template <class Value>
  Section& add(std::string_view key, const std::optional<Value>& value) {
    return value ? add(key, *value) : *this;
  }
  Section& add(std::string_view key, const std::optional<int>& value) {
    return value ? add(key, std::int64_t{*value}) : *this;
  }
  Section& line(std::string_view key, std::string_view value) {
    text_ += fmt::format("{} = {}\n", key, value);
    return *this;
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string chip_text(const Chip& chip) {
  Section section("[chip]");
  section.add("memory_bytes", chip.memory_bytes)
      .add("memory_bytes_per_second", chip.memory_bytes_per_second)
      .add("efficiency", chip.efficiency)
      .add("on_chip_bytes", chip.on_chip_bytes)
      .add("on_chip_bytes_per_second", chip.on_chip_bytes_per_second)
      .add("cores", std::int64_t{chip.cores})
      .add("matrix_unit", chip.matrix_unit)
      .add("copy_engines", chip.copy_engines);
  Section flops("[chip.flops_per_second]");
  for (const auto& [dtype, rate] : chip.flops_per_second) flops.add(name(dtype), rate);
  return section.text() + flops.text();
}

std::string slices_text(const SliceRule& slices) {
  if (slices == SliceRule{}) return "";
  Section section("[network.slices]");
  std::vector<std::string> sizes;
  for (const auto& slice : slices.sizes) sizes.push_back(fmt::format("[{}]", fmt::join(slice, ", ")));
  if (!sizes.empty()) section.line("sizes", fmt::format("[{}]", fmt::join(sizes, ", ")));
  if (slices.multiple > 0) section.add("multiple", slices.multiple);
  if (!slices.largest.empty()) section.add("largest", slices.largest);
  return section.text();
}

std::string wrap_text(const WrapRule& wrap) {
  Section section("[network.wrap]");
  section.add("rule", name(wrap.kind));
  if (wrap.size > 0) section.add("size", wrap.size);
  return section.text();
}

std::string network_text(const Network& network) {
  const bool is_torus = network.kind == NetworkKind::kTorus;
  Section section("[network]");
  section.add("kind", name(network.kind))
      .add("link_bytes_per_second", network.link_bytes_per_second)
      .add("hop_seconds", network.hop_seconds)
      .add("full_duplex", network.full_duplex)
      .add("dcn_bytes_per_second", network.dcn_bytes_per_second);
  if (!is_torus) section.add("reduces", network.reduces);
  section.add("shared_memory", network.shared_memory);
  std::string text = section.text();
  if (is_torus) text += wrap_text(network.wrap);
  text += slices_text(network.slices);
  if (network.nodes)
    text += Section("[network.nodes]")
                .add("devices_per_node", network.nodes->devices_per_node)
                .add("bytes_per_second", network.nodes->bytes_per_second)
                .add("hop_seconds", network.nodes->hop_seconds)
                .text();
  for (const MeasuredBandwidth& table : network.measured)
    text += Section("[[network.measured]]")
                .add("collective", std::string_view(table.collective))
                .add("bytes", table.bytes)
                .add("bytes_per_second", table.bytes_per_second)
                .text();
  return text;
}

std::string rates_text(std::string_view heading, const FootprintRates& rates) {
  Section section(heading);
  section.add("footprint_bytes", rates.footprint_bytes).add("bytes_per_second", rates.bytes_per_second);
  if (!rates.busy_bytes_per_second.empty()) section.add("busy_bytes_per_second", rates.busy_bytes_per_second);
  return section.text();
}

std::string streams_text(const Streams& streams) {
  std::string text = Section("[host.streams]").add("least_bytes", streams.least_bytes).text();
  text += rates_text("[host.streams.copies]", streams.copies);
  text += rates_text("[host.streams.gets]", streams.gets);
  return text + rates_text("[host.streams.sums]", streams.sums);
}

// A line of times for each m and n.
std::string product_text(const ProductTimes& times) {
  Section section("[[host.products]]");
  section.add("dtype", name(times.dtype)).add("m", times.m).add("n", times.n).add("k", times.k);
  std::string seconds = "[";
  for (std::size_t i = 0; i < times.seconds.size(); ++i)
    seconds += fmt::format("{}{},", i % times.k.size() == 0 ? "\n  " : " ", times.seconds[i]);
  return section.line("seconds", seconds + "\n]").text();
}

std::string host_text(const Host& host) {
  std::string text = Section("[host]")
                         .add("cores", host.cores)
                         .add("op_seconds", host.op_seconds)
                         .add("notice_seconds", host.notice_seconds)
                         .add("wake_seconds", host.wake_seconds)
                         .add("sleep_after_seconds", host.sleep_after_seconds)
                         .text();
  text +=
      Section("[host.runs]").add("footprint_bytes", host.runs.footprint_bytes).add("seconds", host.runs.seconds).text();
  text += rates_text("[host.copies]", host.copies);
  text += rates_text("[host.gets]", host.gets);
  text += rates_text("[host.reductions]", host.reductions);
  text += rates_text("[host.sums]", host.sums);
  text += rates_text("[host.maps]", host.maps);
  if (host.streams) text += streams_text(*host.streams);
  for (const ProductTimes& times : host.products) text += product_text(times);
  return text;
}

std::string comment_text(std::string_view comment) {
  std::string text;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    text += fmt::format("# {}\n", comment.substr(0, end));
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  return text;
}

}  // namespace

std::string to_toml(const Hardware& hardware, std::string_view comment) {
  std::string text = comment_text(comment) + fmt::format("name = {}\n", toml_string(hardware.name));
  text += chip_text(hardware.chip) + network_text(hardware.network);
  if (hardware.host) text += host_text(*hardware.host);
  return text;
}

}  // namespace meshmul
