#pragma once
// At which size one way becomes faster than another, or the products of a way take longer than its moves.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/way.hpp"

namespace meshmul {

/// The index whose size is looked for, and in which range.
struct Unknown {
  std::string name;
  double low = 1;
  double high = 0x1p32;
};

/// Reads `B` or `B=128..65536`. Throws Error(kInvalidArgument) with the place of what is wrong; the bounds are whole
/// numbers, and 1 <= LOW < HIGH.
Unknown parse_unknown(std::string_view text);

/// Which of two sides takes less time.
enum class Shorter { kFirst, kSecond, kNeither };
std::string_view name(Shorter shorter);

/// A size from which on another side is the shorter one.
struct Crossing {
  /// Of all sizes, also those that are not whole: blocks are as long as the size divided by the axes that cut it.
  double at = 0;
  /// The least whole size from `at` on at which that is so with blocks rounded up; nothing if there is none within the
  /// range, or within a hundred thousand sizes.
  std::optional<std::int64_t> whole;
  Shorter above = Shorter::kNeither;
};

struct Crossover {
  Unknown unknown;
  Shorter at_low = Shorter::kNeither;  ///< at the lower end of the range
  std::vector<Crossing> crossings;     ///< rising
};

/// Where of two ways the other becomes the faster one; a size written for the unknown index does not count. Between two
/// crossings that are reported there is none, unless two lie within half a per cent of each other and of no kink.
/// `options` count as in price_way, the best mapping of each way at each size. Throws Error(kInvalidArgument) if no step has
/// the index, or as price_way does.
Crossover crossover(const Way& first, const Way& second, const Unknown& unknown, const Mesh& mesh,
                    const Hardware& hardware, const PlanOptions& options = {});

/// The same for the moves of one way (first) and its products (second): where the products are shorter the way waits for
/// communication, even if the two overlap.
Crossover balance(const Way& way, const Unknown& unknown, const Mesh& mesh, const Hardware& hardware,
                  const PlanOptions& options = {});

}  // namespace meshmul
