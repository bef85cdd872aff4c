#pragma once
// The files of src/draw/page, as the build has put them into the library.

#include <string_view>

namespace meshmul::drawing {

struct EmbeddedPage {
  std::string_view html;  ///< with places for the rest: {{title}}, {{style}}, …
  std::string_view style;
  std::string_view style_sha256;  ///< 64 hexadecimal digits
  std::string_view script;
  std::string_view script_sha256;
};
const EmbeddedPage& embedded_page();

}  // namespace meshmul::drawing
