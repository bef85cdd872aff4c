#include "draw/json_writer.hpp"

#include <fmt/format.h>

#include <iterator>

namespace meshmul::drawing {
namespace {

constexpr std::string_view kReplacement = "\\ufffd";

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// The length of the UTF-8 sequence of more than one byte at `at`; 0 if there is none. Refuses overlong forms, surrogates
// and numbers above U+10FFFF.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned head = byte_at(text, at);
  const std::size_t length = head >= 0xC2 && head < 0xE0   ? 2
                             : head >= 0xE0 && head < 0xF0 ? 3
                             : head >= 0xF0 && head < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  const unsigned second = byte_at(text, at + 1);
  const bool bad = (head == 0xE0 && second < 0xA0) || (head == 0xED && second >= 0xA0) ||
                   (head == 0xF0 && second < 0x90) || (head == 0xF4 && second >= 0x90);
  return bad ? 0 : length;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const unsigned byte = byte_at(text, at);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[at++];
    } else if (byte < 0x20 || byte == '<' || byte == 0x7F) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
      ++at;
    } else if (byte < 0x80) {
      out += text[at++];
    } else if (const std::size_t length = sequence_length(text, at)) {
      out += text.substr(at, length);
      at += length;
    } else {
      out += kReplacement;
      ++at;
    }
  }
  out += '"';
}

JsonWriter& JsonWriter::key(std::string_view name) {
  comma();
  text_ += '"';
  text_ += name;
  text_ += "\":";
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  comma();
  const fmt::format_int digits(number);
  text_.append(digits.data(), digits.size());
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  comma();
  append_json_string(text_, text);
  return *this;
}

JsonWriter& JsonWriter::values(const std::vector<std::string>& texts) {
  begin_array();
  for (const std::string& text : texts) value(text);
  return end_array();
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  comma();
  text_ += json;
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  comma();
  text_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

void JsonWriter::comma() {
  if (!first_) text_ += ',';
  first_ = false;
}

}  // namespace meshmul::drawing
