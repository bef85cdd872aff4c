#pragma once
// Texts that are almost right, for rapidcheck.

#include <rapidcheck.h>

#include <string>

namespace meshmul::testing {

/// Up to three characters are deleted, doubled, or replaced by one of `replacements`. Only to be used in a property.
inline std::string damaged(std::string text, const std::string& replacements) {
  for (int edits = *rc::gen::inRange(1, 4); edits > 0 && !text.empty(); --edits) {
    const auto place = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
    switch (*rc::gen::inRange(0, 3)) {
      case 0: text.erase(place, 1); break;
      case 1: text.insert(place, 1, text[place]); break;
      default: text[place] = *rc::gen::elementOf(replacements); break;
    }
  }
  return text;
}

}  // namespace meshmul::testing
