#include "meshmul/error.hpp"

#include <algorithm>

namespace meshmul {
namespace {

constexpr std::string_view kCut = "…";

/// Length up to which a sentence is kept whole. What makes one long is a part of somebody's file that it quotes.
constexpr std::size_t kLongestSentence = 2000;
/// Characters of a line that are shown on each side of the place, and the bytes that they may take.
constexpr std::size_t kColumnsAround = 80;
constexpr std::size_t kBytesAround = 4 * kColumnsAround;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

/// The end of the character of UTF-8 in which `at` lies.
std::size_t end_of_character(std::string_view text, std::size_t at) {
  for (std::size_t i = 0; i < 3 && at < text.size() && is_continuation(text[at]); ++i) ++at;
  return at;
}

/// Control characters of a text that somebody else wrote could tell a terminal to do things.
std::string without_controls(std::string text) {
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = ' ';
  return text;
}

std::string without_middle(const std::string& sentence) {
  if (sentence.size() <= kLongestSentence) return sentence;
  const std::size_t begin = end_of_character(sentence, kLongestSentence / 2);
  const std::size_t end = end_of_character(sentence, sentence.size() - kLongestSentence / 2);
  return sentence.substr(0, begin).append(kCut).append(sentence, end);
}

std::string tidied(const std::string& sentence) { return without_controls(without_middle(sentence)); }

/// The first `kColumnsAround` characters.
std::string_view head(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size() && end < kBytesAround; ++end)
    if (!is_continuation(text[end]) && ++columns > kColumnsAround) break;
  return text.substr(0, end);
}

/// The last `kColumnsAround` characters.
std::string_view tail(std::string_view text) {
  std::size_t begin = text.size();
  for (std::size_t columns = 0; begin > 0 && text.size() - begin < kBytesAround && columns < kColumnsAround;)
    if (!is_continuation(text[--begin])) ++columns;
  return text.substr(begin);
}

}  // namespace

Error::Error(ErrorCode code, const std::string& sentence) : std::runtime_error(tidied(sentence)), code_(code) {}

Error::Error(ErrorCode code, const std::string& sentence, TextPlace place)
    : std::runtime_error(tidied(sentence)), code_(code), place_(std::move(place)) {}

std::size_t TextPlace::line() const {
  const auto newlines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n');
  return static_cast<std::size_t>(newlines) + 1;
}

std::string Error::report() const {
  if (!place_) return what();
  const std::string& text = place_->text;
  // 1. Cut out the line that holds the place; the text may be a whole file. Tabs and other control characters would push
  // the caret away from what it points at.
  const std::size_t offset = std::min(place_->offset, text.size());
  const std::size_t previous_newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t line_begin = previous_newline == std::string::npos ? 0 : previous_newline + 1;
  const std::size_t line_end = std::min(text.find('\n', offset), text.size());
  const std::string line = without_controls(text.substr(line_begin, line_end - line_begin));
  // 2. Of a long line, show what stands around the place.
  const std::string_view before = std::string_view(line).substr(0, offset - line_begin);
  const std::string_view after = std::string_view(line).substr(offset - line_begin);
  const bool is_long = count_characters(line) > 2 * kColumnsAround || line.size() > 2 * kBytesAround;
  const std::string_view left = is_long ? tail(before) : before;
  const std::string_view right = is_long ? head(after) : after;
  std::string shown;
  if (left.size() < before.size()) shown += kCut;
  shown += left;
  // 3. Columns are counted in characters, not in bytes of UTF-8.
  const std::size_t column = count_characters(shown);
  shown += right;
  if (right.size() < after.size()) shown += kCut;
  return shown + "\n" + std::string(column, ' ') + "^ " + what();
}

}  // namespace meshmul
