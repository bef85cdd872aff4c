#pragma once
// What moves and products cost, written from the tables of docs/cost-model.md, whose numbers stand here. Shares nothing
// with src/plan.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "meshmul/plan.hpp"

namespace meshmul::testing {

/// Devices in a row, and whether the last one has a link to the first.
struct Row {
  std::int64_t size = 1;
  bool closes = false;
};

/// What one mesh axis lies on.
struct AxisPlace {
  std::vector<Row> rows;     ///< of a torus
  std::int64_t in_node = 1;  ///< on a switch: its devices in a node,
  std::int64_t nodes = 1;    ///< and the nodes that it spans
};

class Prices {
 public:
  /// By mesh axis. Measured bandwidths are not known here.
  Prices(Hardware hardware, const CostSettings& settings, std::vector<AxisPlace> places)
      : hardware_(std::move(hardware)), settings_(settings), places_(std::move(places)) {}

  /// Bytes are those of the largest shard before and after.
  double move_seconds(MoveKind kind, const std::vector<int>& axes, double before, double after) const {
    switch (kind) {
      case MoveKind::kSlice:
      case MoveKind::kUnreduce: return 0;
      case MoveKind::kAllGather: return both(gather(axes, after), latency());
      case MoveKind::kReduceScatter: return both(gather(axes, before), latency());
      case MoveKind::kAllReduce: return both(all_reduce(axes, before), latency());
      case MoveKind::kAllToAll: return both(exchange(axes, after), latency());
      case MoveKind::kPermute:
      case MoveKind::kRedistribute:
        // A message waits for its latency.
        return both(message(axes, after), latency() == LatencyRule::kMax ? LatencyRule::kSum : latency());
    }
    __builtin_unreachable();
  }

  /// (9). Extents are those of the largest shard, bytes those of its arrays.
  double product_seconds(Dtype dtype, double batch, double m, double n, double k, double bytes) const {
    const auto padded = [&](double extent) {
      const auto unit = static_cast<double>(hardware_.chip.matrix_unit);
      return settings_.count == CountRule::kLimit ? extent : std::ceil(extent / unit) * unit;
    };
    const double efficiency = settings_.efficiency ? hardware_.chip.efficiency : 1;
    const double rate = efficiency * flops_per_second(hardware_, dtype);
    return std::max(2 * batch * padded(m) * padded(n) * padded(k) / rate, memory_seconds(bytes));
  }

  double memory_seconds(double bytes) const { return bytes / hardware_.chip.memory_bytes_per_second; }

  /// Memory: what a device adds up partial sums in, beside the result of extents `to`.
  static double scratch_bytes(MoveKind kind, double terms, Dtype from, Dtype to,
                              const std::vector<std::int64_t>& shape) {
    const bool small = to == Dtype::kBf16 || to == Dtype::kF16 || to == Dtype::kF8e4m3 || to == Dtype::kI8;
    if (!small || (terms <= 2 && from == to)) return 0;
    const double accumulator = 4;  // f32 or i32
    double elements = 1;
    for (const std::int64_t extent : shape) elements *= static_cast<double>(extent);
    if (kind == MoveKind::kReduceScatter) return accumulator * elements;
    if (kind != MoveKind::kAllReduce || elements == 0) return 0;
    // Each device adds up a part: of the first dimension with an element for each of them, else of the longest.
    if (shape.empty()) return accumulator;
    auto cut = static_cast<double>(*std::max_element(shape.begin(), shape.end()));
    for (std::size_t d = shape.size(); d-- > 0;)
      if (static_cast<double>(shape[d]) >= terms) cut = static_cast<double>(shape[d]);
    return accumulator * elements / cut * std::ceil(cut / terms);
  }

 private:
  struct Times {
    double bytes = 0, hops = 0;
  };

  const Network& net() const { return hardware_.network; }
  LatencyRule latency() const { return settings_.latency; }
  bool in_limit() const { return settings_.count == CountRule::kLimit; }
  bool on_switch() const { return net().kind == NetworkKind::kSwitch; }

  static double both(const Times& times, LatencyRule rule) {
    switch (rule) {
      case LatencyRule::kMax: return std::max(times.bytes, times.hops);
      case LatencyRule::kSum: return times.bytes + times.hops;
      case LatencyRule::kNone: return times.bytes;
    }
    __builtin_unreachable();
  }

  /// (10)
  double share(double n, double links) const {
    if (n == 1) return 0;
    if (in_limit()) return 1;
    if (settings_.count == CountRule::kFinite) return (n - 1) / n;
    return std::ceil((n - 1) / links) * links / n;
  }

  /// Of the ports of a switch, by any rule.
  static double share(double n) { return (n - 1) / n; }

  // ---- Torus ----------------------------------------------------------------------------------------------------

  /// A line of the table of axes, with capacities in w and loads in bytes, and the loads of links that are not full duplex.
  struct Column {
    double links, capacity, hops, short_hops, load;
  };
  Column column(const Row& row) const {
    const auto x = static_cast<double>(row.size);
    const bool odd = row.size % 2 == 1;
    const double shared = net().full_duplex ? 1 : 2;
    if (row.closes && !settings_.both_ways) return {1, 1, x - 1, x - 1, (in_limit() ? x : x - 1) / 2};
    if (row.closes)
      return {2, 2 / shared, in_limit() ? x / 2 : std::floor(x / 2), std::floor(x / 2),
              shared * (odd && !in_limit() ? (x * x - 1) / (8 * x) : x / 8)};
    return {1, net().full_duplex || in_limit() ? 1 : (x - 1) / x, x - 1, x - 1,
            shared * (odd && !in_limit() ? (x * x - 1) / (4 * x) : x / 4)};
  }

  struct Rows {
    double devices = 1, links = 0, capacity = 0, hops = 0, short_hops = 0, load = 0;
  };
  Rows rows(const std::vector<int>& axes) const {
    Rows all;
    for (const int axis : axes)
      for (const Row& row : place(axis).rows) {
        const Column c = column(row);
        all.devices *= static_cast<double>(row.size);
        all.links += c.links;
        all.capacity += c.capacity;
        all.hops += c.hops;
        all.short_hops += c.short_hops;
        all.load = std::max(all.load, c.load);
      }
    return all;
  }

  // ---- Switch ---------------------------------------------------------------------------------------------------

  struct Group {
    double in_node = 1, nodes = 1, groups = 1;
  };
  Group group(const std::vector<int>& axes) const {
    Group all;
    for (const int axis : axes) {
      all.in_node *= static_cast<double>(place(axis).in_node);
      all.nodes *= static_cast<double>(place(axis).nodes);
    }
    for (const AxisPlace& any : places_) all.groups *= static_cast<double>(any.in_node);
    all.groups /= all.in_node;
    return all;
  }
  /// The larger of what the port and what the node takes, each at the share of `bytes` that passes it; one hop of each.
  /// A level with one child takes nothing.
  Times levels(const Group& g, double port_bytes, double node_bytes) const {
    Times times;
    if (g.in_node > 1)
      times = {port_bytes / net().link_bytes_per_second * (net().full_duplex ? 1 : 2), net().hop_seconds};
    if (g.nodes > 1) {
      times.bytes = std::max(times.bytes, node_bytes / net().nodes->bytes_per_second);
      times.hops += net().nodes->hop_seconds;
    }
    return times;
  }

  // ---- Moves ----------------------------------------------------------------------------------------------------

  /// (1), (5), (11)
  Times gather(const std::vector<int>& axes, double v) const {
    if (on_switch()) {
      const Group g = group(axes);
      return levels(g, v * share(g.in_node), v * g.groups * share(g.nodes));
    }
    const Rows r = rows(axes);
    return {v * share(r.devices, r.links) / (r.capacity * net().link_bytes_per_second), r.hops * net().hop_seconds};
  }

  /// (2), (6), (12)
  Times all_reduce(const std::vector<int>& axes, double v) const {
    if (on_switch() && settings_.in_network_reduction) {
      const Group g = group(axes);
      return levels(g, v, v * g.groups);
    }
    const Times once = gather(axes, v);
    return {2 * once.bytes, 2 * once.hops};
  }

  /// (3), (7), (13)
  Times exchange(const std::vector<int>& axes, double v) const {
    if (on_switch()) {
      const Group g = group(axes);
      return levels(g, v * share(g.in_node), v * g.in_node * g.groups * share(g.nodes));
    }
    const Rows r = rows(axes);
    return {v * r.load / net().link_bytes_per_second, r.short_hops * net().hop_seconds};
  }

  /// (4), (8), (14)
  Times message(const std::vector<int>& axes, double v) const {
    if (on_switch()) {
      const Group g = group(axes);
      return levels(g, v, v * g.in_node * g.groups);
    }
    const Rows r = rows(axes);
    const double inward = std::max(1.0, share(r.devices, r.links)) / r.capacity;
    return {v * std::max(inward, r.load) / net().link_bytes_per_second, r.hops * net().hop_seconds};
  }

  const AxisPlace& place(int axis) const { return places_[static_cast<std::size_t>(axis)]; }

  Hardware hardware_;
  CostSettings settings_;
  std::vector<AxisPlace> places_;
};

}  // namespace meshmul::testing
