#include "routes.hpp"

#include <algorithm>

namespace meshmul::simulation {
namespace {

bool same_links(const Route& a, const Route& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Hop& x, const Hop& y) { return x.link == y.link; });
}

constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

}  // namespace

std::uint32_t RouteTable::latency_number(std::int64_t latency_ps) {
  std::vector<std::int64_t>& latencies = hops_.latencies_ps;
  auto known = std::find(latencies.begin(), latencies.end(), latency_ps);
  if (known == latencies.end()) known = latencies.insert(known, latency_ps);
  return static_cast<std::uint32_t>(known - latencies.begin());
}

RouteSpan RouteTable::keep(const Route& route) {
  RouteSpan span{static_cast<std::uint32_t>(hops_.hops.size()), static_cast<std::uint32_t>(route.size()), 0};
  for (const Hop& hop : route) {
    span.latency_ps += hop.latency_ps;
    hops_.hops.push_back({hop.link, latency_number(hop.latency_ps)});
  }
  return span;
}

RouteTable::Ways RouteTable::make(int src, int dst, Asker asker) {
  network_.find_route(src, dst, asker, Turn::kFirst, first_);
  network_.find_route(src, dst, asker, Turn::kSecond, second_);
  Ways ways;
  ways.tie = !same_links(first_, second_);
  ways.first = keep(first_);
  if (ways.tie) ways.second = keep(second_);
  return ways;
}

RouteSpan RouteTable::find(int src, int dst, Asker asker) {
  constexpr std::size_t kNumAskers = 2;
  std::vector<std::uint32_t>& of_src = numbers_[static_cast<std::size_t>(src)];
  if (of_src.empty()) of_src.resize(numbers_.size() * kNumAskers, kUnknown);
  std::uint32_t& number = of_src[static_cast<std::size_t>(dst) * kNumAskers + static_cast<std::size_t>(asker)];
  if (number == kUnknown) {
    number = static_cast<std::uint32_t>(ways_.size());
    ways_.push_back(make(src, dst, asker));
  }
  const Ways& ways = ways_[number];
  if (!ways.tie) return ways.first;
  return ties_[static_cast<std::size_t>(src)]++ % 2 == 0 ? ways.first : ways.second;
}

}  // namespace meshmul::simulation
