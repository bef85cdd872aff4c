#include "separate_axes.hpp"

#include <algorithm>

namespace meshmul::simulation {
namespace {

// The axes that cut the dimension of `axis`, from the major one to `axis`; nothing if it cuts none.
std::vector<int> axes_up_to(const std::vector<int>& axes, int axis) {
  const auto found = std::find(axes.begin(), axes.end(), axis);
  return found == axes.end() ? std::vector<int>() : std::vector<int>(axes.begin(), found + 1);
}

const std::vector<int>* axes_of_index(const ArrayType& type, std::size_t dim, const ArrayType& like) {
  if (like.dims[dim].index.empty()) return &type.sharding.dims[dim];
  for (std::size_t d = 0; d < type.dims.size(); ++d)
    if (type.dims[d].index == like.dims[dim].index) return &type.sharding.dims[d];
  return nullptr;
}

bool is_partial(const ArrayType& type, int axis) {
  return std::find(type.sharding.unreduced.begin(), type.sharding.unreduced.end(), axis) !=
         type.sharding.unreduced.end();
}

// Whether an element stays at its coordinate of `axis`: all axes down to this one cut its dimension before and after.
bool stays_in_place(const Move& move, int axis) {
  if (is_partial(move.from, axis) != is_partial(move.to, axis)) return false;
  for (std::size_t dim = 0; dim < move.from.dims.size(); ++dim) {
    const std::vector<int>* after = axes_of_index(move.to, dim, move.from);
    if (after == nullptr || axes_up_to(move.from.sharding.dims[dim], axis) != axes_up_to(*after, axis)) return false;
  }
  return true;
}

void keep_axes_that_move(const Plan& plan, AxisSet& separate) {
  std::vector<std::size_t> slices_left;
  for (const Operand operand : {Operand::kA, Operand::kB, Operand::kC})
    slices_left.push_back(num_slices(plan, operand));
  for (const Step& step : plan.steps) {
    const Move* move = std::get_if<Move>(&step);
    if (move == nullptr) continue;
    std::size_t& slices = slices_left[static_cast<std::size_t>(move->operand)];
    if (slices > 0) {
      --slices;
      continue;
    }
    for (int axis = 0; axis < plan.mesh.num_axes(); ++axis)
      if (!stays_in_place(*move, axis)) separate[static_cast<std::size_t>(axis)] = false;
  }
}

// Groups in one node would share its ports to the network.
void keep_axes_that_share_nodes(const Topology& topology, AxisSet& separate) {
  if (topology.kind != NetworkKind::kSwitch) return;
  bool leaves_nodes = false;
  for (std::size_t axis = 0; axis < separate.size(); ++axis) {
    if (topology.in_node[axis] > 1 && topology.across_nodes[axis] > 1) separate[axis] = false;
    leaves_nodes |= !separate[axis] && topology.across_nodes[axis] > 1;
  }
  for (std::size_t axis = 0; leaves_nodes && axis < separate.size(); ++axis)
    if (topology.in_node[axis] > 1) separate[axis] = false;
}

// Ranks that follow each other share a core, a memory or a chip.
void keep_axes_that_share_chips(const Mesh& mesh, const SimulateOptions& options, AxisSet& separate) {
  std::int64_t stride = 1;
  for (int axis = mesh.num_axes(); axis-- > 0;) {
    for (const int sharers : {options.ranks_per_core, options.ranks_per_memory, options.ranks_per_chip})
      if (sharers > 1 && stride % sharers != 0) separate[static_cast<std::size_t>(axis)] = false;
    stride *= mesh.size(axis);
  }
}

// Where a cut is uneven, groups would not hold as much as each other.
void keep_axes_that_cut_unevenly(const ArrayType& type, const Mesh& mesh, AxisSet& separate) {
  for (std::size_t dim = 0; dim < type.dims.size(); ++dim) {
    std::int64_t block = type.dims[dim].size;
    bool is_even = true;
    for (const int axis : type.sharding.dims[dim]) {
      is_even = is_even && block % mesh.size(axis) == 0;
      block /= mesh.size(axis);
      if (!is_even) separate[static_cast<std::size_t>(axis)] = false;
    }
  }
}

void keep_axes_that_cut_unevenly(const Plan& plan, AxisSet& separate) {
  struct Visitor {
    const Mesh& mesh;
    AxisSet& separate;
    void operator()(const Move& move) const {
      for (const ArrayType* array : {&move.from, &move.to}) keep_axes_that_cut_unevenly(*array, mesh, separate);
    }
    void operator()(const LocalProduct& product) const {
      for (const ArrayType* array : {&product.a, &product.b, &product.c})
        keep_axes_that_cut_unevenly(*array, mesh, separate);
    }
  };
  for (const Step& step : plan.steps) std::visit(Visitor{plan.mesh, separate}, step);
}

}  // namespace

std::size_t num_slices(const Plan& plan, Operand operand) {
  std::size_t count = 0;
  for (const Step& step : plan.steps) {
    const Move* move = std::get_if<Move>(&step);
    if (move == nullptr || move->operand != operand) continue;
    if (move->kind != MoveKind::kSlice || operand == Operand::kC) return 0;
    ++count;
  }
  return count;
}

AxisSet separate_axes(const Plan& plan, const Topology& topology, const SimulateOptions& options) {
  AxisSet separate(static_cast<std::size_t>(plan.mesh.num_axes()), true);
  keep_axes_that_move(plan, separate);
  keep_axes_that_cut_unevenly(plan, separate);
  keep_axes_that_share_chips(plan.mesh, options, separate);
  keep_axes_that_share_nodes(topology, separate);
  return separate;
}

}  // namespace meshmul::simulation
