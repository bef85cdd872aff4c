#include "plan/way/local_product.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "notation/print.hpp"

namespace meshmul {
namespace {

using Axes = std::vector<int>;

bool contains(const Axes& axes, int axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }

/// The axes that cut `index`; null if the array has no such index.
const Axes* axes_of_index(const ArrayType& array, const std::string& index) {
  for (std::size_t d = 0; d < array.dims.size(); ++d)
    if (array.dims[d].index == index) return &array.sharding.dims[d];
  return nullptr;
}

/// `J_XY`, or `J` if nothing cuts it.
std::string cut_text(const std::string& index, const Axes& axes, const Mesh& mesh) {
  return axes.empty() ? index : fmt::format("{}_{}", index, notation::axes_text(axes, mesh));
}

/// What is wrong with the axes of `one`, as far as `other` uses them in another way.
std::optional<std::string> clash(const ArrayType& one, const ArrayType& other, const Mesh& mesh) {
  for (std::size_t d = 0; d < one.dims.size(); ++d) {
    if (axes_of_index(other, one.dims[d].index) != nullptr) continue;
    for (const int axis : one.sharding.dims[d])
      if (const std::string use = notation::use_of_axis(other, axis); !use.empty())
        return fmt::format("mesh axis {} cuts {} of {} and {}; the shards of a local product meet along other axes",
                           mesh.name(axis), one.dims[d].index, one.name, use);
  }
  for (const int axis : one.sharding.unreduced)
    if (const std::string use = notation::use_of_axis(other, axis); !use.empty())
      return fmt::format("{} is partial over mesh axis {}, which {}; reduce one of them first", one.name,
                         mesh.name(axis), use);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> local_product_fault(const Product& product, const Mesh& mesh) {
  const auto& [a, b, c] = product;
  for (std::size_t d = 0; d < a.dims.size(); ++d) {
    const std::string& index = a.dims[d].index;
    const Axes* in_b = axes_of_index(b, index);
    if (in_b != nullptr && *in_b != a.sharding.dims[d])
      return fmt::format("index {} is {} in {} and {} in {}; the shards of a local product are cut alike", index,
                         cut_text(index, a.sharding.dims[d], mesh), a.name, cut_text(index, *in_b, mesh), b.name);
  }
  if (auto fault = clash(a, b, mesh)) return fault;
  return clash(b, a, mesh);
}

Sharding local_product_sharding(const Product& product) {
  const auto& [a, b, c] = product;
  Sharding sharding;
  for (const Dim& dim : c.dims) {
    const Axes* in_a = axes_of_index(a, dim.index);
    sharding.dims.push_back(in_a != nullptr ? *in_a : *axes_of_index(b, dim.index));
  }
  const auto add = [&](const Axes& axes) {
    for (const int axis : axes)
      if (!contains(sharding.unreduced, axis)) sharding.unreduced.push_back(axis);
  };
  for (std::size_t d = 0; d < a.dims.size(); ++d)
    if (axes_of_index(c, a.dims[d].index) == nullptr) add(a.sharding.dims[d]);
  add(a.sharding.unreduced);
  add(b.sharding.unreduced);
  std::sort(sharding.unreduced.begin(), sharding.unreduced.end());
  return sharding;
}

}  // namespace meshmul
