// The names of the algorithms.

#include <array>
#include <cstddef>

#include "meshmul/lower.hpp"

namespace meshmul {
namespace {

// In the order of Algorithm.
constexpr auto kNames = std::to_array<std::string_view>({"automatic", "direct", "ring", "ring-both-ways"});

constexpr auto kExplicit = [] {
  std::array<Algorithm, kNames.size() - 1> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Algorithm>(i + 1);
  return all;
}();

}  // namespace

std::string_view name(Algorithm algorithm) { return kNames[static_cast<std::size_t>(algorithm)]; }

std::span<const Algorithm> algorithms() { return kExplicit; }

std::optional<Algorithm> parse_algorithm(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return static_cast<Algorithm>(i);
  return std::nullopt;
}

}  // namespace meshmul
