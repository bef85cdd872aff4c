#include "notation/collective_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "notation/print.hpp"

namespace meshmul::notation {
namespace {

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

void erase_all(std::vector<int>& from, const std::vector<int>& axes) {
  std::erase_if(from, [&](int axis) { return contains(axes, axis); });
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

std::optional<CollectiveFault> collective_fault(CollectiveKind kind, const std::vector<int>& axes,
                                                std::optional<int> dim, const ArrayType& from, const Mesh& mesh) {
  assert(dim.has_value() == (kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kAllToAll));
  const auto sentence = [&](int axis) -> std::string {
    const std::string& axis_name = mesh.name(axis);
    if (adds_partial_sums(kind)) {
      if (contains(from.sharding.unreduced, axis)) return "";
      return fmt::format("{} has no partial sums along mesh axis {}; {} adds along axes of {{U_…}}", label(from),
                         axis_name, name(kind));
    }
    const std::optional<int> cut = dim_cut_by(from, axis);
    if (!cut && contains(from.sharding.unreduced, axis))
      return fmt::format("{} has partial sums along mesh axis {}; AllReduce and ReduceScatter add them, not {}",
                         label(from), axis_name, name(kind));
    if (!cut)
      return fmt::format("mesh axis {} cuts no dimension of {}; {} takes axes that cut one", axis_name, label(from),
                         name(kind));
    if (cut == dim)
      return fmt::format("mesh axis {} already cuts {} of {}; AllToAll brings axes from other dimensions", axis_name,
                         dim_label(from, *cut), label(from));
    if (is_minor(from.sharding.dims[static_cast<std::size_t>(*cut)], axes, axis)) return "";
    return fmt::format(
        "mesh axis {} is not minor in {} of {} and {} removes minor axes only; write the change of sharding {} -> {}, "
        "which may take other moves",
        axis_name, dim_label(from, *cut), label(from), name(kind), short_text(from, mesh),
        short_text(collective_result(kind, axes, dim, from), mesh));
  };
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i), axes[i]) !=
        axes.begin() + static_cast<std::ptrdiff_t>(i))
      return CollectiveFault{fmt::format("mesh axis {} comes twice in this {}", mesh.name(axes[i]), name(kind)), i};
    if (std::string found = sentence(axes[i]); !found.empty()) return CollectiveFault{std::move(found), i};
  }
  return std::nullopt;
}

}  // namespace meshmul::notation
