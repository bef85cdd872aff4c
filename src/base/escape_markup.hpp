#pragma once
// Text that stands in HTML or SVG.

#include <string>
#include <string_view>

namespace meshmul {

/// `text` for between two tags: what it holds is shown, and never read as a tag or an entity.
inline std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace meshmul
