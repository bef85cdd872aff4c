#include "routes.hpp"

#include <algorithm>

namespace meshmul::simulation {
namespace {

bool same_links(const Route& a, const Route& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Hop& x, const Hop& y) { return x.link == y.link; });
}

std::uint64_t key_of(int src, int dst, Asker asker) {
  constexpr int kRankBits = 31;
  return (static_cast<std::uint64_t>(src) << (kRankBits + 1)) | (static_cast<std::uint64_t>(dst) << 1) |
         static_cast<std::uint64_t>(asker);
}

}  // namespace

RouteSpan RouteTable::keep(const Route& route) {
  RouteSpan span{static_cast<std::uint32_t>(hops_.hops.size()), static_cast<std::uint32_t>(route.size()), 0};
  std::vector<std::int64_t>& latencies = hops_.latencies_ps;
  for (const Hop& hop : route) {
    span.latency_ps += hop.latency_ps;
    auto known = std::find(latencies.begin(), latencies.end(), hop.latency_ps);
    if (known == latencies.end()) known = latencies.insert(known, hop.latency_ps);
    hops_.hops.push_back({hop.link, static_cast<std::uint32_t>(known - latencies.begin())});
  }
  return span;
}

RouteTable::Ways RouteTable::make(int src, int dst, Asker asker) {
  const Route first = network_.route(src, dst, asker, Turn::kFirst);
  const Route second = network_.route(src, dst, asker, Turn::kSecond);
  Ways ways;
  ways.tie = !same_links(first, second);
  ways.first = keep(first);
  if (ways.tie) ways.second = keep(second);
  return ways;
}

RouteSpan RouteTable::find(int src, int dst, Asker asker) {
  const auto [entry, is_new] = known_.try_emplace(key_of(src, dst, asker));
  if (is_new) entry->second = make(src, dst, asker);
  const Ways& ways = entry->second;
  if (!ways.tie) return ways.first;
  return ties_[static_cast<std::size_t>(src)]++ % 2 == 0 ? ways.first : ways.second;
}

}  // namespace meshmul::simulation
