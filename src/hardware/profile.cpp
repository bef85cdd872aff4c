// Reads a profile from TOML. Every key must be known and every figure positive, so that a slip of the pen is an error
// and not a slow machine.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <sstream>

#include "meshmul/error.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

/// One table of the file, with the name that messages give it.
class Section {
 public:
  Section(const toml::table& table, std::string path, const std::string& file_name)
      : table_(table), path_(std::move(path)), file_name_(file_name) {}

  [[noreturn]] void fail(const toml::node& at, std::string_view key, std::string_view found,
                         std::string_view expected) const {
    fail_in_line(at.source().begin.line, key, fmt::format("is {}", found), expected);
  }

  void check_keys(std::initializer_list<std::string_view> known) const {
    for (const auto& [key, node] : table_) {
      const bool found = std::find(known.begin(), known.end(), key.str()) != known.end();
      if (!found)
        fail_in_line(node.source().begin.line, key.str(), "is not known",
                     fmt::format("one of {}", fmt::join(known, ", ")));
    }
  }

  Section section(std::string_view key) const {
    const toml::node& node = required(key, "a table");
    if (!node.is_table()) fail(node, key, describe(node), "a table");
    return {*node.as_table(), field(key), file_name_};
  }

  std::string text(std::string_view key) const {
    const toml::node& node = required(key, "a text");
    if (!node.is_string()) fail(node, key, describe(node), "a text");
    return node.as_string()->get();
  }

  double positive(std::string_view key) const {
    const toml::node& node = required(key, "a positive number");
    const std::optional<double> value = node.value<double>();
    if (!value || !(*value > 0) || !std::isfinite(*value)) fail(node, key, describe(node), "a positive number");
    return *value;
  }

  std::optional<double> optional_positive(std::string_view key) const {
    return table_.contains(key) ? std::optional(positive(key)) : std::nullopt;
  }

  std::vector<std::int64_t> sizes(std::string_view key) const {
    std::vector<std::int64_t> sizes;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return sizes;
    const std::string_view expected = "a list of whole numbers of at least 1, such as [16, 16]";
    if (!node->is_array()) fail(*node, key, describe(*node), expected);
    for (const toml::node& element : *node->as_array()) {
      const std::optional<std::int64_t> size = element.value_exact<std::int64_t>();
      if (!size || *size < 1) fail(element, key, describe(element), expected);
      sizes.push_back(*size);
    }
    return sizes;
  }

  const toml::table& table() const { return table_; }

 private:
  std::string field(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  const toml::node& required(std::string_view key, std::string_view expected) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) fail_in_line(table_.source().begin.line, key, "is missing", expected);
    return *node;
  }

  [[noreturn]] void fail_in_line(std::size_t line, std::string_view key, std::string_view what,
                                 std::string_view expected) const {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}:{}: {} {}; expected {}", file_name_, line, field(key), what, expected));
  }

  static std::string describe(const toml::node& node) {
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    return text.str();
  }

  const toml::table& table_;
  std::string path_;
  const std::string& file_name_;
};

Chip read_chip(const Section& section) {
  section.check_keys({"memory_bytes", "memory_bytes_per_second", "flops_per_second"});
  Chip chip;
  chip.memory_bytes_per_second = section.positive("memory_bytes_per_second");
  if (const std::optional<double> bytes = section.optional_positive("memory_bytes"))
    chip.memory_bytes = static_cast<std::int64_t>(*bytes);
  const Section rates = section.section("flops_per_second");
  for (const auto& [key, node] : rates.table()) {
    const std::optional<Dtype> dtype = parse_dtype(key.str());
    if (!dtype) rates.fail(node, key.str(), "not the rate of a dtype", "f64, f32, bf16, f16, f8e4m3, i8 or i32");
    chip.flops_per_second[*dtype] = rates.positive(key.str());
  }
  return chip;
}

Network read_network(const Section& section) {
  section.check_keys({"kind", "link_bytes_per_second", "hop_seconds", "largest_slice"});
  Network network;
  const std::string kind = section.text("kind");
  if (kind != name(NetworkKind::kTorus) && kind != name(NetworkKind::kSwitch))
    section.fail(*section.table().get("kind"), "kind", fmt::format("\"{}\"", kind), "\"torus\" or \"switch\"");
  network.kind = kind == name(NetworkKind::kTorus) ? NetworkKind::kTorus : NetworkKind::kSwitch;
  network.link_bytes_per_second = section.positive("link_bytes_per_second");
  network.hop_seconds = section.positive("hop_seconds");
  network.slices.largest = section.sizes("largest_slice");
  return network;
}

toml::table parse_toml(std::string_view toml_text, const std::string& file_name) {
  try {
    return toml::parse(toml_text, file_name);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}:{}: {}; expected TOML", file_name, error.source().begin.line, error.description()));
  }
}

}  // namespace

Hardware load_hardware(std::string_view toml_text, const std::string& file_name) {
  const toml::table table = parse_toml(toml_text, file_name);
  const Section top(table, "", file_name);
  top.check_keys({"name", "chip", "network"});
  Hardware hardware;
  hardware.name = top.text("name");
  hardware.chip = read_chip(top.section("chip"));
  hardware.network = read_network(top.section("network"));
  return hardware;
}

}  // namespace meshmul
