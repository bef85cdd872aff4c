#pragma once
// Suggestions for words that are spelt almost right: axes, dtypes, collectives, verbs and options.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshmul {

/// The candidate with the fewest insertions, deletions, replacements and swaps of neighbours away from `word`, letter
/// case apart; the first of equals. A candidate that begins with `word`, when that is more than a letter, counts as one
/// edit away, and comes before others of one. Nothing if it takes more edits than a third of the longer word (but one is
/// always allowed), or if no letter would stay; but then a candidate with which `word` begins. Words of more than 100
/// letters are not compared.
std::optional<std::string> closest_word(std::string_view word, const std::vector<std::string>& candidates);

/// `; did you mean model?`, ready to be put after a sentence; empty if no candidate is close.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace meshmul
