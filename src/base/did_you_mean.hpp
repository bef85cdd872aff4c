#pragma once
// Suggestions for words that are spelt almost right: axes, dtypes, collectives, verbs and options.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshmul {

/// The candidate with the fewest insertions, deletions, replacements and swaps of neighbours away from `word`, letter
/// case apart; the first of equals. Nothing if that takes more than a third of the longer word (but one is always
/// allowed), or if no letter would stay. Words of more than 100 letters are not compared.
std::optional<std::string> closest_word(std::string_view word, const std::vector<std::string>& candidates);

/// `; did you mean model?`, ready to be put after a sentence; empty if no candidate is close.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace meshmul
