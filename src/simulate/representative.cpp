// Cuts the group at coordinate 0 of the axes that keep groups apart out of a plan.

#include "meshmul/representative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "separate_axes.hpp"

namespace meshmul {
namespace {

using simulation::AxisSet;

class Restriction {
 public:
  Restriction(const Plan& plan, const AxisSet& separate) : plan_(plan), separate_(separate) {
    for (std::size_t i = 0; i < sliced_.size(); ++i)
      slices_left_[i] = simulation::num_slices(plan, static_cast<Operand>(i));
    for (std::size_t i = 0; i < sliced_.size(); ++i)
      for (std::size_t left = slices_left_[i]; const Step& step : plan.steps)
        if (const Move* move = std::get_if<Move>(&step);
            move != nullptr && move->operand == static_cast<Operand>(i) && left > 0 && --left == 0)
          sliced_[i] = &move->to;
  }

  Plan run() {
    Plan group = plan_;
    group.mesh = mesh();
    group.slice.clear();
    group.mapping = {};
    const std::vector<ArrayType*> arrays = inputs(group.statement);
    for (std::size_t i = 0; i < arrays.size(); ++i) *arrays[i] = input(*arrays[i], i);
    ArrayType& result = output(group.statement);
    result = part_of(result, result);
    for (Step& step : group.steps) std::visit([this](auto& s) { restrict(s); }, step);
    return group;
  }

 private:
  Mesh mesh() const {
    std::vector<MeshAxis> axes = plan_.mesh.axes();
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      if (separate_[axis]) axes[axis].size = 1;
    return Mesh(std::move(axes));
  }

  void restrict(Move& move) {
    const auto operand = static_cast<std::size_t>(move.operand);
    const bool is_slice_of_input = operand < sliced_.size() && slices_left_[operand] > 0;
    if (is_slice_of_input) --slices_left_[operand];
    move.from = is_slice_of_input ? input(move.from, operand) : part_of(move.from, move.from);
    move.to = is_slice_of_input ? input(move.to, operand) : part_of(move.to, move.to);
    std::erase_if(move.axes, [this](int axis) { return is_separate(axis); });
  }

  void restrict(LocalProduct& product) {
    for (ArrayType* array : {&product.a, &product.b, &product.c}) *array = part_of(*array, *array);
  }

  // What is cut by slices alone lies in the group as if it had been cut before.
  ArrayType input(const ArrayType& type, std::size_t operand) {
    return part_of(type, sliced_[operand] == nullptr ? type : *sliced_[operand]);
  }

  // The part of `type` that the group holds once it is cut as `cut` is, which may have its dimensions in another order.
  ArrayType part_of(const ArrayType& type, const ArrayType& cut) {
    ArrayType part = type;
    for (std::size_t d = 0; d < type.dims.size(); ++d) {
      const std::vector<int>& axes = cut.sharding.dims[dim_in(cut, type.dims[d].index, d)];
      for (const int axis : axes)
        if (is_separate(axis)) part.dims[d].size /= plan_.mesh.size(axis);
      std::erase_if(part.sharding.dims[d], [this](int axis) { return is_separate(axis); });
    }
    std::erase_if(part.sharding.unreduced, [this](int axis) { return is_separate(axis); });
    return part;
  }

  static std::size_t dim_in(const ArrayType& type, const std::string& index, std::size_t otherwise) {
    for (std::size_t d = 0; d < type.dims.size() && !index.empty(); ++d)
      if (type.dims[d].index == index) return d;
    return otherwise;
  }

  bool is_separate(int axis) const { return separate_[static_cast<std::size_t>(axis)] && plan_.mesh.size(axis) > 1; }

  const Plan& plan_;
  const AxisSet& separate_;
  std::array<const ArrayType*, 2> sliced_{};  // inputs after their slices, where nothing else is done to them
  std::array<std::size_t, 2> slices_left_{};
};

Topology part_of(Topology topology, const AxisSet& separate) {
  for (std::size_t axis = 0; axis < separate.size(); ++axis) {
    if (!separate[axis]) continue;
    if (topology.kind == NetworkKind::kTorus)
      topology.torus[axis].clear();
    else
      topology.in_node[axis] = topology.across_nodes[axis] = 1;
  }
  return topology;
}

}  // namespace

Representative representative(const Plan& plan, const Hardware& hardware, const Topology& topology,
                              const SimulateOptions& options) {
  const AxisSet separate = simulation::separate_axes(plan, topology, options);
  Representative group{Restriction(plan, separate).run(), hardware, part_of(topology, separate), 1};
  group.hardware.slice.clear();
  group.num_groups = plan.mesh.num_devices() / group.plan.mesh.num_devices();
  return group;
}

std::string group_phrase(const Representative& group) {
  const int ranks = group.plan.mesh.num_devices();
  return fmt::format("one of {} identical groups of {} {}", group.num_groups, ranks, ranks == 1 ? "rank" : "ranks");
}

}  // namespace meshmul
