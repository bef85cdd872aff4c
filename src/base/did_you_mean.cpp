#include "base/did_you_mean.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <tuple>

namespace meshmul {
namespace {

/// Nobody means longer words by accident, and comparing two takes the product of their lengths.
constexpr std::size_t kLongestWord = 100;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// Optimal string alignment distance, row by row: the current row and the two before it are all that a step looks at.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

/// A single letter begins too many words to mean one.
bool begins(const std::string& beginning, const std::string& word) {
  return beginning.size() >= 2 && word.starts_with(beginning);
}

using Rank = std::tuple<bool, std::size_t, bool, std::size_t>;

/// Less is nearer: what `wanted` begins counts as one edit, and comes before others of one; what begins `wanted` comes
/// after all that is close. Nothing for words that have little in common.
std::optional<Rank> rank(const std::string& wanted, const std::string& known) {
  const std::size_t distance = edit_distance(wanted, known);
  const std::size_t longer = std::max(wanted.size(), known.size());
  if (begins(wanted, known)) return Rank(false, std::min<std::size_t>(distance, 1), false, distance);
  if (distance <= std::max<std::size_t>(1, longer / 3) && distance < longer)
    return Rank(false, distance, true, distance);
  if (begins(known, wanted)) return Rank(true, distance, false, distance);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> closest_word(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kLongestWord) return std::nullopt;
  const std::string wanted = lower_case(word);
  std::optional<std::string> best;
  std::optional<Rank> best_rank;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const auto its_rank = rank(wanted, lower_case(candidate));
    if (!its_rank || (best_rank && *its_rank >= *best_rank)) continue;
    best = candidate;
    best_rank = its_rank;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::optional<std::string> best = closest_word(word, candidates);
  return best ? "; did you mean " + *best + "?" : "";
}

}  // namespace meshmul
