// The names of algorithms and designs.

#include <array>
#include <cstddef>

#include "meshmul/lower.hpp"

namespace meshmul {
namespace {

// In the order of Algorithm and of Design.
constexpr auto kAlgorithmNames = std::to_array<std::string_view>({"automatic", "direct", "ring", "ring-both-ways"});
constexpr auto kDesignNames =
    std::to_array<std::string_view>({"sequential", "in-place", "pull", "push", "ring", "ring-both-ways"});

// The enumerators of `E` from number `first` on.
template <class E, std::size_t first, std::size_t count>
constexpr std::array<E, count - first> enumerators() {
  std::array<E, count - first> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<E>(i + first);
  return all;
}

constexpr auto kAlgorithms = enumerators<Algorithm, 1, kAlgorithmNames.size()>();
constexpr auto kDesigns = enumerators<Design, 0, kDesignNames.size()>();

template <class E>
std::optional<E> find(std::span<const std::string_view> names, std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace

std::string_view name(Algorithm algorithm) { return kAlgorithmNames[static_cast<std::size_t>(algorithm)]; }
std::span<const Algorithm> algorithms() { return kAlgorithms; }
std::optional<Algorithm> parse_algorithm(std::string_view text) { return find<Algorithm>(kAlgorithmNames, text); }

std::string_view name(Design design) { return kDesignNames[static_cast<std::size_t>(design)]; }
std::span<const Design> designs() { return kDesigns; }
std::optional<Design> parse_design(std::string_view text) { return find<Design>(kDesignNames, text); }

}  // namespace meshmul
