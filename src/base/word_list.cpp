#include "base/word_list.hpp"

namespace meshmul {

std::string word_list(const std::vector<std::string>& words, std::string_view conjunction) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text.append(i + 1 < words.size() ? ", " : " ");
    if (i > 0 && i + 1 == words.size()) text.append(conjunction).append(" ");
    text.append(words[i]);
  }
  return text;
}

}  // namespace meshmul
