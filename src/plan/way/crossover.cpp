// Where two times, as functions of one size, change places.
#include "meshmul/crossover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "meshmul/error.hpp"
#include "plan/way/open_way.hpp"
#include "plan/way/sign_changes.hpp"

namespace meshmul {
namespace {

constexpr std::int64_t kMostWholeSizes = 100'000;

/// The first time less the second, at a size.
using Difference = std::function<Sample(double size, Blocks blocks)>;

Shorter shorter(int sign_of_difference) {
  return sign_of_difference < 0 ? Shorter::kFirst : sign_of_difference > 0 ? Shorter::kSecond : Shorter::kNeither;
}

/// Blocks that are rounded up can make the sides change places a few times around `change`.
std::optional<std::int64_t> first_whole(const Difference& difference, const SignChange& change, double high) {
  // A crossing at a whole size may have come out a last digit too high.
  const double begin = std::ceil(change.at * (1 - 1e-12));
  const double end = std::min(high + 1, begin + static_cast<double>(kMostWholeSizes));
  for (double size = begin; size < end; ++size) {
    const double value = difference(size, Blocks::kWhole).value;
    if ((value > 0) == (change.sign > 0) && (value < 0) == (change.sign < 0)) return static_cast<std::int64_t>(size);
  }
  return std::nullopt;
}

Crossover crossover_of(const Difference& difference, const Unknown& unknown) {
  const auto fractional = [&](double size) { return difference(size, Blocks::kFractional); };
  const Signs signs = signs_of(fractional, unknown.low, unknown.high);
  Crossover result{unknown, shorter(signs.at_low), {}};
  for (const SignChange& change : signs.changes)
    result.crossings.push_back({change.at, first_whole(difference, change, unknown.high), shorter(change.sign)});
  return result;
}

void require_index(bool known, const std::string& name) {
  if (!known) throw Error(ErrorCode::kInvalidArgument, fmt::format("no step has an index {}", name));
}

std::vector<int> joined(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

std::string_view name(Shorter shorter) {
  switch (shorter) {
    case Shorter::kFirst: return "first";
    case Shorter::kSecond: return "second";
    case Shorter::kNeither: return "neither";
  }
  __builtin_unreachable();
}

Crossover crossover(const Way& first, const Way& second, const Unknown& unknown, const Mesh& mesh,
                    const Hardware& hardware, const PlanOptions& options) {
  const OpenWay a(first, unknown.name, mesh, hardware, options);
  const OpenWay b(second, unknown.name, mesh, hardware, options);
  require_index(a.has_index() || b.has_index(), unknown.name);
  const auto difference = [&](double size, Blocks blocks) {
    const OpenWay::Point of_a = a.at(size, blocks);
    const OpenWay::Point of_b = b.at(size, blocks);
    Sample sample{of_a.times.seconds(options.overlapped) - of_b.times.seconds(options.overlapped),
                  joined(of_a.branches, of_b.branches)};
    if (options.overlapped)
      for (const WayTimes& times : {of_a.times, of_b.times})
        sample.branches.push_back(times.moves > times.products ? 1 : 0);
    return sample;
  };
  return crossover_of(difference, unknown);
}

Crossover balance(const Way& way, const Unknown& unknown, const Mesh& mesh, const Hardware& hardware,
                  const PlanOptions& options) {
  const OpenWay open(way, unknown.name, mesh, hardware, options);
  require_index(open.has_index(), unknown.name);
  const auto difference = [&](double size, Blocks blocks) {
    const OpenWay::Point point = open.at(size, blocks);
    return Sample{point.times.moves - point.times.products, point.branches};
  };
  return crossover_of(difference, unknown);
}

}  // namespace meshmul
