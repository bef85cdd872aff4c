#pragma once
// The exhaustive planner for whole statements: leaves out axes of size 1, and lays the mesh on the machine in every way.

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "plan/exhaustive/places.hpp"
#include "plan/exhaustive/planner.hpp"

namespace meshmul::testing {

/// `statement` on `mesh` without the axes of size 1, which cut nothing.
inline std::pair<Statement, Mesh> without_short_axes(Statement statement, const Mesh& mesh) {
  std::vector<MeshAxis> longer;
  std::vector<int> new_number;
  for (const MeshAxis& axis : mesh.axes()) {
    new_number.push_back(axis.size == 1 ? -1 : static_cast<int>(longer.size()));
    if (axis.size > 1) longer.push_back(axis);
  }
  const auto renumber = [&](std::vector<int>& axes) {
    for (int& axis : axes) axis = new_number[static_cast<std::size_t>(axis)];
    std::erase(axes, -1);
  };
  std::vector<ArrayType*> arrays = inputs(statement);
  arrays.push_back(&output(statement));
  for (ArrayType* array : arrays) {
    for (std::vector<int>& axes : array->sharding.dims) renumber(axes);
    renumber(array->sharding.unreduced);
  }
  return {std::move(statement), Mesh(longer)};
}

/// The ways of a change of one array: `to` may have its dimensions in another order. A product of it with nothing.
inline Front ways_of_change(const ArrayType& from, const ArrayType& to, std::optional<MoveKind> kind, const Mesh& mesh,
                            const Prices& prices) {
  ArrayType in_order = from;
  in_order.open = to.open;
  in_order.sharding.unreduced = to.sharding.unreduced;
  for (std::size_t d = 0; d < from.dims.size(); ++d)
    for (std::size_t e = 0; e < to.dims.size(); ++e)
      if (kind ? d == e : from.dims[d].index == to.dims[e].index) in_order.sharding.dims[d] = to.sharding.dims[e];
  const ArrayType nothing{"nothing", from.dtype, {}, {}, false};
  const Exhaustive planner({nothing, nothing, in_order}, mesh, prices, from.dtype, kind ? from.dims : to.dims);
  if (kind && from.sharding != in_order.sharding)
    return planner.output().single(*kind, from.sharding, in_order.sharding);
  std::vector<Sharding> starts{from.sharding};
  if (from.open) {
    starts.clear();
    for (const int number : planner.output().all().complete())
      starts.push_back(planner.output().all().shardings()[static_cast<std::size_t>(number)]);
  }
  return planner.change(starts);
}

inline MoveKind move_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kAllGather: return MoveKind::kAllGather;
    case CollectiveKind::kReduceScatter: return MoveKind::kReduceScatter;
    case CollectiveKind::kAllReduce: return MoveKind::kAllReduce;
    case CollectiveKind::kAllToAll: return MoveKind::kAllToAll;
  }
  __builtin_unreachable();
}

/// All ways to do `statement` on the best place for it, and those on every other place, without what is beaten.
inline Front exhaustive_ways(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                             const PlanOptions& options) {
  const auto [closed, longer] = without_short_axes(statement, mesh);
  Front all;
  for (const std::vector<AxisPlace>& places : Places::of(longer, hardware, options.cost.topology)) {
    const Prices prices(hardware, options.cost, places);
    Front ways;
    if (const auto* product = std::get_if<Product>(&closed))
      ways = Exhaustive(*product, longer, prices, options.wire_dtype.value_or(product->c.dtype)).ways();
    else if (const auto* reshard = std::get_if<Reshard>(&closed))
      ways = ways_of_change(reshard->from, reshard->to, {}, longer, prices);
    else if (const auto* collective = std::get_if<Collective>(&closed))
      ways = ways_of_change(collective->from, collective->to, move_of(collective->kind), longer, prices);
    for (const Cost& way : ways) add(all, way);
  }
  return all;
}

}  // namespace meshmul::testing
