// The page: the files of src/draw/page with the data put in.

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/escape_markup.hpp"
#include "draw/base64.hpp"
#include "draw/embedded_page.hpp"
#include "draw/page_data.hpp"
#include "draw/scope.hpp"
#include "meshmul/draw.hpp"

namespace meshmul {

std::string page_html(const Drawing& drawing) {
  drawing::check(drawing);
  const drawing::EmbeddedPage& page = drawing::embedded_page();
  const drawing::PageData data = drawing::page_data(drawing);
  const std::string title = escape_markup(data.title);
  const std::string style_hash = drawing::base64_of_hexadecimal(page.style_sha256);
  const std::string script_hash = drawing::base64_of_hexadecimal(page.script_sha256);
  const std::array<std::pair<std::string_view, std::string_view>, 6> parts{{{"{{title}}", title},
                                                                            {"{{style_hash}}", style_hash},
                                                                            {"{{script_hash}}", script_hash},
                                                                            {"{{style}}", page.style},
                                                                            {"{{data}}", data.json},
                                                                            {"{{script}}", page.script}}};
  // Each place stands in the file once, in this order; what is put in is not searched.
  std::string html;
  std::string_view rest = page.html;
  for (const auto& [place, text] : parts) {
    const std::size_t at = rest.find(place);
    html += rest.substr(0, at);
    html += text;
    rest.remove_prefix(at + place.size());
  }
  html += rest;
  return html;
}

}  // namespace meshmul
