#include "sample.hpp"

#include <algorithm>
#include <numeric>

#include "meshmul/random.hpp"

namespace meshmul::checking {

std::vector<std::int64_t> sample(std::int64_t total, std::int64_t count, std::uint64_t seed) {
  std::vector<std::int64_t> chosen(static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, total)));
  if (count >= total) {
    std::iota(chosen.begin(), chosen.end(), 0);
    return chosen;
  }
  const HostArray random = random_array(Dtype::kF64, {count}, {.seed = seed});
  const double part = static_cast<double>(total - 1) / static_cast<double>(std::max<std::int64_t>(count - 1, 1));
  for (std::size_t i = 0; i + 1 < chosen.size(); ++i) {
    const double unit = (random[static_cast<std::int64_t>(i)] + 1) / 2;
    chosen[i] = std::min(static_cast<std::int64_t>((static_cast<double>(i) + unit) * part), total - 2);
  }
  if (!chosen.empty()) chosen.back() = total - 1;
  return chosen;
}

}  // namespace meshmul::checking
