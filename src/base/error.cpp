#include "meshmul/error.hpp"

#include <algorithm>

namespace meshmul {

std::size_t TextPlace::line() const {
  const auto newlines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n');
  return static_cast<std::size_t>(newlines) + 1;
}

std::string Error::report() const {
  if (!place_) return what();
  const std::string& text = place_->text;
  // 1. Cut out the line that holds the place; the text may be a whole file.
  const std::size_t offset = std::min(place_->offset, text.size());
  const std::size_t previous_newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t line_begin = previous_newline == std::string::npos ? 0 : previous_newline + 1;
  const std::size_t line_end = std::min(text.find('\n', offset), text.size());
  std::string line = text.substr(line_begin, line_end - line_begin);
  // 2. Tabs and control characters would push the caret away from what it points at.
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  // 3. Columns are counted in characters, not in bytes of UTF-8.
  const auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  const auto column = std::count_if(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(offset - line_begin),
                                    [&](char c) { return !is_continuation(c); });
  return line + "\n" + std::string(static_cast<std::size_t>(column), ' ') + "^ " + what();
}

}  // namespace meshmul
