#include "plan/cost/measured.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace meshmul {
namespace {

/// The table of the first of `kinds` that has one.
const MeasuredBandwidth* find_table(const Network& network, std::initializer_list<MoveKind> kinds) {
  for (const MoveKind kind : kinds)
    for (const MeasuredBandwidth& table : network.measured)
      if (table.collective == name(kind) && !table.bytes.empty()) return &table;
  return nullptr;
}

}  // namespace

MeasuredRates::Curve MeasuredRates::curve(const MeasuredBandwidth& table, double nominal_bytes_per_second) {
  Curve curve;
  for (std::size_t point = 0; point < table.bytes.size(); ++point) {
    curve.log_bytes.push_back(std::log(table.bytes[point]));
    curve.log_slowdown.push_back(std::log(nominal_bytes_per_second / table.bytes_per_second[point]));
  }
  return curve;
}

MeasuredRates::MeasuredRates(const Network& network) {
  const auto take = [&](MoveKind kind, std::initializer_list<MoveKind> kinds) {
    if (const MeasuredBandwidth* table = find_table(network, kinds))
      curves_[static_cast<std::size_t>(kind)] = curve(*table, network.link_bytes_per_second);
  };
  using enum MoveKind;
  take(kAllGather, {kAllGather, kAllReduce});
  take(kReduceScatter, {kReduceScatter, kAllGather, kAllReduce});
  take(kAllReduce, {kAllReduce, kAllGather});
  for (const MoveKind kind : {kAllToAll, kPermute, kRedistribute}) take(kind, {kind});
}

double MeasuredRates::slowdown(MoveKind kind, double bytes) const {
  const auto& [log_bytes, log_slowdown] = curves_[static_cast<std::size_t>(kind)];
  if (log_bytes.empty() || !(bytes > 0)) return 1;
  const double at = std::log(bytes);
  const auto above = std::lower_bound(log_bytes.begin(), log_bytes.end(), at) - log_bytes.begin();
  if (above == 0) return std::exp(log_slowdown.front());
  if (above == std::ssize(log_bytes)) return std::exp(log_slowdown.back());
  const auto high = static_cast<std::size_t>(above);
  const double share = (at - log_bytes[high - 1]) / (log_bytes[high] - log_bytes[high - 1]);
  return std::exp(std::lerp(log_slowdown[high - 1], log_slowdown[high], share));
}

}  // namespace meshmul
