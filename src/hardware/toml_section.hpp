#pragma once
// Reads the fields of one table of a TOML file. Every message gives file, line, field, what was found and what was
// expected.

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshmul {

/// A table, with the name that messages give it. Refers to the table and to the name of the file.
class TomlSection {
 public:
  /// Bounds of a number, and the words for them.
  struct Range {
    double least;
    double most;
    std::string_view words;
  };

  TomlSection(const toml::table& table, std::string path, const std::string& file_name)
      : table_(table), path_(std::move(path)), file_name_(file_name) {}

  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::table& table() const { return table_; }

  /// Refuses keys that are not `known`, with the nearest of them.
  void check_keys(std::initializer_list<std::string_view> known) const;

  TomlSection section(std::string_view key) const;
  /// `[[key]]`; empty if there is none.
  std::vector<TomlSection> sections(std::string_view key) const;

  std::string text(std::string_view key) const;
  double number(std::string_view key, const Range& range) const;
  std::int64_t whole(std::string_view key, const Range& range) const;
  bool boolean(std::string_view key) const;
  std::vector<double> numbers(std::string_view key, const Range& range) const;
  std::vector<std::int64_t> sizes(std::string_view key) const;
  std::vector<std::vector<std::int64_t>> lists_of_sizes(std::string_view key) const;

  /// `file:line: field is …; expected …` at the value of `key`, which is there.
  [[noreturn]] void fail(std::string_view key, std::string_view expected) const;
  /// The same, with `found` in place of the value.
  [[noreturn]] void fail(std::string_view key, std::string_view found, std::string_view expected) const;

 private:
  std::string field(std::string_view key) const;
  const toml::node& required(std::string_view key, std::string_view expected) const;
  double number_of(std::string_view key, const toml::node& node, const Range& range) const;
  std::vector<std::int64_t> sizes_of(std::string_view key, const toml::node& node) const;
  [[noreturn]] void fail_at(const toml::node& node, std::string_view key, std::string_view expected) const;
  [[noreturn]] void fail_in_line(std::size_t line, std::string_view key, std::string_view what,
                                 std::string_view expected) const;

  const toml::table& table_;
  std::string path_;
  const std::string& file_name_;
};

}  // namespace meshmul
