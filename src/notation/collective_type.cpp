#include "notation/collective_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "notation/print.hpp"

namespace meshmul::notation {
namespace {

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

void erase_all(std::vector<int>& from, const std::vector<int>& axes) {
  std::erase_if(from, [&](int axis) { return contains(axes, axis); });
}

/// Those of `axes` that are not in `others`, in their order.
std::vector<int> axes_missing(std::vector<int> axes, const std::vector<int>& others) {
  erase_all(axes, others);
  return axes;
}

bool adds_partial_sums(CollectiveKind kind) {
  return kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kAllReduce;
}

/// The dimension that `axis` cuts.
std::optional<int> dim_cut_by(const ArrayType& type, int axis) {
  for (int dim = 0; dim < type.num_dims(); ++dim)
    if (contains(type.sharding.dims[static_cast<std::size_t>(dim)], axis)) return dim;
  return std::nullopt;
}

/// True if nothing but `axes` follows `axis` in the dimension that it cuts.
bool is_minor(const std::vector<int>& dim_axes, const std::vector<int>& axes, int axis) {
  const auto place = std::find(dim_axes.begin(), dim_axes.end(), axis);
  return std::all_of(place, dim_axes.end(), [&](int minor) { return contains(axes, minor); });
}

/// Why ReduceScatter or AllReduce cannot add along `axis`; empty if it can.
std::string why_not_added(const Collective& c, int axis, const Mesh& mesh) {
  if (contains(c.from.sharding.unreduced, axis)) return "";
  return fmt::format("{} has no partial sums along mesh axis {}; {} adds along axes of {{U_…}}", label(c.from),
                     mesh.name(axis), name(c.kind));
}

/// Why AllGather or AllToAll cannot take `axis` from its dimension; empty if it can.
std::string why_not_removed(const Collective& c, int axis, const Mesh& mesh) {
  const std::string& axis_name = mesh.name(axis);
  const std::string array = label(c.from);
  if (contains(c.from.sharding.unreduced, axis))
    return fmt::format("{} has partial sums along mesh axis {}; AllReduce and ReduceScatter add them, not {}", array,
                       axis_name, name(c.kind));
  const std::optional<int> cut = dim_cut_by(c.from, axis);
  if (!cut)
    return fmt::format("mesh axis {} cuts no dimension of {}; {} takes axes that cut one", axis_name, array,
                       name(c.kind));
  if (cut == c.dim)
    return fmt::format("mesh axis {} already cuts {} of {}; AllToAll brings axes from other dimensions", axis_name,
                       dim_label(c.from, *cut), array);
  if (is_minor(c.from.sharding.dims[static_cast<std::size_t>(*cut)], c.axes, axis)) return "";
  return fmt::format(
      "mesh axis {} is not minor in {} of {} and {} removes minor axes only; write the change of sharding {} -> {}, "
      "which may take other moves",
      axis_name, dim_label(c.from, *cut), array, name(c.kind), short_text(c.from, mesh),
      short_text(collective_result(c.kind, c.axes, c.dim, c.from), mesh));
}

}  // namespace

ArrayType collective_result(CollectiveKind kind, const std::vector<int>& axes, std::optional<int> dim,
                            const ArrayType& from) {
  ArrayType to = from;
  if (adds_partial_sums(kind))
    erase_all(to.sharding.unreduced, axes);
  else
    for (std::vector<int>& dim_axes : to.sharding.dims) erase_all(dim_axes, axes);
  if (dim) {
    std::vector<int>& target = to.sharding.dims[static_cast<std::size_t>(*dim)];
    target.insert(target.end(), axes.begin(), axes.end());
  }
  return to;
}

std::optional<CollectiveFault> collective_fault(const Collective& c, const Mesh& mesh) {
  assert(c.dim.has_value() == (c.kind == CollectiveKind::kReduceScatter || c.kind == CollectiveKind::kAllToAll));
  for (std::size_t i = 0; i < c.axes.size(); ++i) {
    const int axis = c.axes[i];
    if (std::count(c.axes.begin(), c.axes.begin() + static_cast<std::ptrdiff_t>(i), axis) > 0)
      return CollectiveFault{fmt::format("mesh axis {} comes twice in this {}", mesh.name(axis), name(c.kind)), i};
    std::string sentence = adds_partial_sums(c.kind) ? why_not_added(c, axis, mesh) : why_not_removed(c, axis, mesh);
    if (!sentence.empty()) return CollectiveFault{std::move(sentence), i};
  }
  return std::nullopt;
}

std::optional<Collective> find_collective(const ArrayType& from, const ArrayType& to, const Mesh& mesh) {
  if (from.dims != to.dims) return std::nullopt;
  std::vector<int> taken = axes_missing(from.sharding.unreduced, to.sharding.unreduced);
  const bool reduces = !taken.empty();
  std::optional<int> target;
  std::vector<int> brought;
  for (int dim = 0; dim < from.num_dims(); ++dim) {
    const std::vector<int>& before = from.sharding.dims[static_cast<std::size_t>(dim)];
    const std::vector<int>& after = to.sharding.dims[static_cast<std::size_t>(dim)];
    const std::vector<int> lost = axes_missing(before, after);
    const std::vector<int> gained = axes_missing(after, before);
    taken.insert(taken.end(), lost.begin(), lost.end());
    if (gained.empty()) continue;
    if (target) return std::nullopt;
    target = dim;
    brought = gained;
  }
  Collective collective{CollectiveKind::kAllGather, target ? brought : taken, target, from, to};
  if (reduces)
    collective.kind = target ? CollectiveKind::kReduceScatter : CollectiveKind::kAllReduce;
  else if (target)
    collective.kind = CollectiveKind::kAllToAll;
  const bool fits = !collective.axes.empty() && !collective_fault(collective, mesh) &&
                    collective_result(collective.kind, collective.axes, target, from).sharding == to.sharding;
  return fits ? std::optional(collective) : std::nullopt;
}

}  // namespace meshmul::notation
