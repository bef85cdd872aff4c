#pragma once
// Sets of terms, as disjoint boxes in the term space of a tensor. Each set is stored once and known by a number, so
// that comparing two is comparing numbers, and adding the same two again is one look-up.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "meshmul/box.hpp"

namespace meshmul::verification {

class TermSets {
 public:
  /// The set without terms.
  static constexpr int kNone = 0;

  TermSets() { intern({}); }

  /// The set that is the union of `boxes`, which do not overlap.
  int intern(std::vector<Box> boxes);

  /// The union; nothing if the two have a term in common.
  std::optional<int> add(int a, int b);

  const std::vector<Box>& boxes(int set) const { return sets_[static_cast<std::size_t>(set)].boxes; }
  std::int64_t num_terms(int set) const { return sets_[static_cast<std::size_t>(set)].num_terms; }

 private:
  struct TermSet {
    std::vector<Box> boxes;
    std::int64_t num_terms = 0;
  };

  std::vector<TermSet> sets_;
  std::unordered_multimap<std::uint64_t, int> by_hash_;
  std::unordered_map<std::uint64_t, std::optional<int>> sums_;  // by both numbers
};

}  // namespace meshmul::verification
