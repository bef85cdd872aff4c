#pragma once
// All that a page shows, as one JSON document; src/draw/page/data.js reads it.

#include <string>

#include "meshmul/draw.hpp"

namespace meshmul::drawing {

struct PageData {
  std::string title;  ///< one line
  std::string json;   ///< without `<`
};
PageData page_data(const Drawing& drawing);

}  // namespace meshmul::drawing
