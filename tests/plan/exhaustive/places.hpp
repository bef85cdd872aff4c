#pragma once
// Every way to lay a mesh on a machine, by docs/cost-model.md. Shares nothing with src/hardware.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "plan/exhaustive/prices.hpp"

namespace meshmul::testing {

class Places {
 public:
  using Ways = std::vector<std::vector<AxisPlace>>;  ///< each by mesh axis

  /// Of a mesh whose axes are all longer than 1. Without a slice every mesh axis is an axis of its own, or all of it is
  /// one node.
  static Ways of(const Mesh& mesh, const Hardware& hardware, TopologyRule rule) {
    Places search(mesh);
    std::vector<std::int64_t> slice = hardware.slice;
    if (hardware.network.kind == NetworkKind::kSwitch) {
      if (slice.empty()) slice = {mesh.num_devices()};
      search.divide_nodes(slice.size() == 1 ? 1 : slice[0], slice.back());
    } else if (slice.empty()) {
      for (const MeshAxis& axis : mesh.axes()) slice.push_back(axis.size);
      const std::vector<Row> rows = rows_of(slice, hardware.network.wrap, rule);
      for (std::size_t axis = 0; axis < rows.size(); ++axis) search.now_[axis].rows = {rows[axis]};
      search.found_.push_back(search.now_);
    } else {
      search.assign(rows_of(slice, hardware.network.wrap, rule), 0);
    }
    return search.found_;
  }

 private:
  explicit Places(const Mesh& mesh) : mesh_(mesh), now_(mesh.axes().size()) {}

  static std::vector<Row> rows_of(const std::vector<std::int64_t>& slice, const WrapRule& wrap, TopologyRule rule) {
    std::vector<Row> rows;
    for (const std::int64_t size : slice) {
      bool closes = rule == TopologyRule::kWrap;
      if (rule == TopologyRule::kSlice) switch (wrap.kind) {
          case WrapRule::Kind::kAll: closes = true; break;
          case WrapRule::Kind::kNone: break;
          case WrapRule::Kind::kLength: closes = size == wrap.size; break;
          case WrapRule::Kind::kWholeCubes:
            closes = std::all_of(slice.begin(), slice.end(), [&](std::int64_t any) { return any % wrap.size == 0; });
            break;
        }
      rows.push_back({size, closes});
    }
    return rows;
  }

  /// Each row that is left goes to each mesh axis.
  void assign(const std::vector<Row>& rows, std::size_t next) {
    if (next == rows.size()) return lay_cycles(0);
    if (rows[next].size == 1) return assign(rows, next + 1);
    for (AxisPlace& place : now_) {
      place.rows.push_back(rows[next]);
      assign(rows, next + 1);
      place.rows.pop_back();
    }
  }

  static std::int64_t devices(const AxisPlace& place) {
    std::int64_t product = 1;
    for (const Row& row : place.rows) product *= row.size;
    return product;
  }

  /// Every axis on its rows, or on one cycle through all of them where there is one.
  void lay_cycles(std::size_t axis) {
    if (axis == now_.size()) return found_.push_back(now_);
    AxisPlace& place = now_[axis];
    if (devices(place) != mesh_.axes()[axis].size) return;
    lay_cycles(axis + 1);
    const bool wraps = std::any_of(place.rows.begin(), place.rows.end(), [](const Row& row) { return row.closes; });
    if (place.rows.size() < 2 || (!wraps && devices(place) % 2 == 1)) return;
    const std::vector<Row> rows = place.rows;
    place.rows = {{devices(place), true}};
    lay_cycles(axis + 1);
    place.rows = rows;
  }

  /// Each axis lies in a node, on nodes, or on both; of what the first leave of a node the last of these takes as much as
  /// it can.
  void divide_nodes(std::int64_t nodes, std::int64_t devices_per_node) {
    std::vector<int> kinds(now_.size(), 0);
    do {
      std::int64_t left = devices_per_node;
      std::int64_t nodes_left = nodes;
      for (std::size_t axis = 0; axis < kinds.size(); ++axis)
        if (kinds[axis] == 0)
          divide(axis, mesh_.axes()[axis].size, left, nodes_left);
        else if (kinds[axis] == 1)
          divide(axis, 1, left, nodes_left);
      for (std::size_t axis = kinds.size(); axis-- > 0;)
        if (kinds[axis] == 2) divide(axis, std::gcd(left, mesh_.axes()[axis].size), left, nodes_left);
      if (left == 1 && nodes_left == 1) found_.push_back(now_);
    } while (count_up(kinds));
  }

  /// What does not go into what is left leaves nothing.
  void divide(std::size_t axis, std::int64_t in_node, std::int64_t& left, std::int64_t& nodes_left) {
    now_[axis].in_node = in_node;
    now_[axis].nodes = mesh_.axes()[axis].size / in_node;
    left = left % in_node == 0 ? left / in_node : 0;
    nodes_left = nodes_left % now_[axis].nodes == 0 ? nodes_left / now_[axis].nodes : 0;
  }

  static bool count_up(std::vector<int>& digits) {
    for (int& digit : digits) {
      if (++digit < 3) return true;
      digit = 0;
    }
    return false;
  }

  const Mesh& mesh_;
  std::vector<AxisPlace> now_;
  Ways found_;
};

}  // namespace meshmul::testing
