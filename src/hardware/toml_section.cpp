#include "hardware/toml_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/did_you_mean.hpp"
#include "meshmul/error.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {
namespace {

constexpr std::string_view kSizesExpected = "a list of whole numbers from 1 to 1048576, such as [16, 16]";
static_assert(Mesh::kMaxDevices == 1048576);

std::string describe(const toml::node& node) {
  if (const auto* text = node.as_string()) return fmt::format("\"{}\"", text->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

}  // namespace

void TomlSection::check_keys(std::initializer_list<std::string_view> known) const {
  for (const auto& [key, node] : table_) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    fail_in_line(
        key.source().begin.line, key.str(), "is not known",
        fmt::format("one of {}{}", fmt::join(known, ", "), did_you_mean(key.str(), {known.begin(), known.end()})));
  }
}

TomlSection TomlSection::section(std::string_view key) const {
  const toml::node& node = required(key, "a table");
  if (!node.is_table()) fail_at(node, key, "a table");
  return {*node.as_table(), field(key), file_name_};
}

std::vector<TomlSection> TomlSection::sections(std::string_view key) const {
  std::vector<TomlSection> sections;
  if (!has(key)) return sections;
  const toml::node& node = *table_.get(key);
  if (!node.is_array()) fail_at(node, key, "a list of tables");
  for (const toml::node& element : *node.as_array()) {
    if (!element.is_table()) fail_at(element, key, "a list of tables");
    sections.emplace_back(*element.as_table(), field(key), file_name_);
  }
  return sections;
}

std::string TomlSection::text(std::string_view key) const {
  const toml::node& node = required(key, "a text");
  if (!node.is_string() || node.as_string()->get().empty()) fail_at(node, key, "a text");
  return node.as_string()->get();
}

double TomlSection::number(std::string_view key, const Range& range) const {
  return number_of(key, required(key, range.words), range);
}

std::int64_t TomlSection::whole(std::string_view key, const Range& range) const {
  const double value = number(key, range);
  if (value != static_cast<double>(static_cast<std::int64_t>(value))) fail(key, range.words);
  return static_cast<std::int64_t>(value);
}

bool TomlSection::boolean(std::string_view key) const {
  const toml::node& node = required(key, "true or false");
  if (!node.is_boolean()) fail_at(node, key, "true or false");
  return node.as_boolean()->get();
}

std::vector<double> TomlSection::numbers(std::string_view key, const Range& range) const {
  const std::string expected = fmt::format("a list; each of it {}", range.words);
  const toml::node& node = required(key, expected);
  if (!node.is_array() || node.as_array()->empty()) fail_at(node, key, expected);
  std::vector<double> numbers;
  for (const toml::node& element : *node.as_array()) numbers.push_back(number_of(key, element, range));
  return numbers;
}

std::vector<std::int64_t> TomlSection::sizes(std::string_view key) const {
  return sizes_of(key, required(key, kSizesExpected));
}

std::vector<std::vector<std::int64_t>> TomlSection::lists_of_sizes(std::string_view key) const {
  const std::string_view expected = "a list of slices, such as [[2, 2], [2, 4]]";
  const toml::node& node = required(key, expected);
  if (!node.is_array() || node.as_array()->empty()) fail_at(node, key, expected);
  std::vector<std::vector<std::int64_t>> lists;
  for (const toml::node& element : *node.as_array()) lists.push_back(sizes_of(key, element));
  return lists;
}

void TomlSection::fail(std::string_view key, std::string_view expected) const {
  fail_at(*table_.get(key), key, expected);
}

void TomlSection::fail(std::string_view key, std::string_view found, std::string_view expected) const {
  fail_in_line(table_.get(key)->source().begin.line, key, fmt::format("is {}", found), expected);
}

std::string TomlSection::field(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const toml::node& TomlSection::required(std::string_view key, std::string_view expected) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) fail_in_line(table_.source().begin.line, key, "is missing", expected);
  return *node;
}

double TomlSection::number_of(std::string_view key, const toml::node& node, const Range& range) const {
  const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !(*value >= range.least && *value <= range.most)) fail_at(node, key, range.words);
  return *value;
}

std::vector<std::int64_t> TomlSection::sizes_of(std::string_view key, const toml::node& node) const {
  if (!node.is_array() || node.as_array()->empty()) fail_at(node, key, kSizesExpected);
  std::vector<std::int64_t> sizes;
  std::int64_t devices = 1;
  for (const toml::node& element : *node.as_array()) {
    const std::optional<std::int64_t> size = element.value_exact<std::int64_t>();
    if (!size || *size < 1 || *size > Mesh::kMaxDevices) fail_at(element, key, kSizesExpected);
    if (*size > Mesh::kMaxDevices / devices)
      fail_at(node, key, fmt::format("at most {} devices in all", Mesh::kMaxDevices));
    devices *= *size;
    sizes.push_back(*size);
  }
  return sizes;
}

void TomlSection::fail_at(const toml::node& node, std::string_view key, std::string_view expected) const {
  fail_in_line(node.source().begin.line, key, fmt::format("is {}", describe(node)), expected);
}

void TomlSection::fail_in_line(std::size_t line, std::string_view key, std::string_view what,
                               std::string_view expected) const {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{}:{}: {} {}; expected {}", file_name_, line, field(key), what, expected));
}

}  // namespace meshmul
