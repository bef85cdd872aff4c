#include "draw/op_words.hpp"

namespace meshmul::drawing {

std::vector<std::string_view> words_of(std::string_view op) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  bool in_box = false;
  const auto end_word = [&](std::size_t at) {
    if (at > begin) words.push_back(op.substr(begin, at - begin));
    begin = at;
  };
  for (std::size_t at = 0; at < op.size(); ++at) {
    const char c = op[at];
    if (c == ']') in_box = false;
    if (in_box) continue;
    if (c == '@' || c == '[') end_word(at);
    if (c == '[') in_box = true;
    if (c == ' ') {
      end_word(at);
      begin = at + 1;
    }
  }
  end_word(op.size());
  return words;
}

std::int64_t WordTable::number_of(std::string_view word) {
  const auto [entry, is_new] = numbers_.try_emplace(std::string(word), static_cast<std::int64_t>(words_.size()));
  if (is_new) words_.emplace_back(word);
  return entry->second;
}

}  // namespace meshmul::drawing
