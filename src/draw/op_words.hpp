#pragma once
// Ops as numbers of words: what many ops have in common, such as names and boxes, stands in a page once.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace meshmul::drawing {

/// The words of an op in its text form. A region falls into its buffer, `@rank`, and box; a word that begins with `@` or
/// `[` follows the one in front of it without a blank, all others after one.
std::vector<std::string_view> words_of(std::string_view op);

class WordTable {
 public:
  std::int64_t number_of(std::string_view word);
  /// By number.
  const std::vector<std::string>& words() const { return words_; }

 private:
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int64_t> numbers_;
};

}  // namespace meshmul::drawing
