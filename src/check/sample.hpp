#pragma once
// Which few of many are looked at.

#include <cstdint>
#include <vector>

namespace meshmul::checking {

/// All of 0 … total - 1 if they are at most `count`, else `count` of them, ascending: one at random from each of
/// count - 1 equal parts, so that none of the blocks that devices work on is left out, and the last, because short
/// blocks lie at the end.
std::vector<std::int64_t> sample(std::int64_t total, std::int64_t count, std::uint64_t seed);

}  // namespace meshmul::checking
