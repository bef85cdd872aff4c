#include "notation/print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace notation {
namespace {

enum class Detail { kShort, kFull };

std::string dim_text(const Dim& dim, const std::vector<int>& axes, const Mesh& mesh, Detail detail) {
  std::string text = dim.index;
  if (dim.index.empty())
    text = fmt::format("{}", dim.size);
  else if (detail == Detail::kFull && dim.size != kUnknownSize)
    text += fmt::format("={}", dim.size);
  return axes.empty() ? text : fmt::format("{}_{}", text, axes_text(axes, mesh));
}

std::string array_text(const ArrayType& type, const Mesh& mesh, Detail detail) {
  std::string text = type.name + "[";
  for (std::size_t d = 0; d < type.dims.size(); ++d)
    text += (d == 0 ? "" : ", ") + dim_text(type.dims[d], type.sharding.dims[d], mesh, detail);
  text += "]";
  if (!type.sharding.unreduced.empty()) text += fmt::format("{{U_{}}}", axes_text(type.sharding.unreduced, mesh));
  if (type.open) text += "?";
  return text;
}

}  // namespace

std::string axes_text(const std::vector<int>& axes, const Mesh& mesh) {
  std::vector<std::string> names;
  for (const int axis : axes) names.push_back(mesh.name(axis));
  const bool all_short = std::all_of(names.begin(), names.end(), [](const auto& name) { return name.size() == 1; });
  return all_short ? fmt::format("{}", fmt::join(names, "")) : fmt::format("{{{}}}", fmt::join(names, ","));
}

std::string short_text(const ArrayType& type, const Mesh& mesh) { return array_text(type, mesh, Detail::kShort); }

std::string label(const ArrayType& type) { return type.name.empty() ? "the array" : type.name; }

std::string dim_label(const ArrayType& type, int dim) {
  constexpr std::array<std::string_view, kMaxDims> kOrdinals{"1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"};
  const auto d = static_cast<std::size_t>(dim);
  if (!type.dims[d].index.empty()) return "dimension " + type.dims[d].index;
  return fmt::format("the {} dimension", kOrdinals[d]);
}

std::string use_of_axis(const ArrayType& type, int axis) {
  const auto holds = [&](const std::vector<int>& axes) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  };
  for (int dim = 0; dim < type.num_dims(); ++dim)
    if (holds(type.sharding.dims[static_cast<std::size_t>(dim)]))
      return fmt::format("already cuts {} of {}", dim_label(type, dim), label(type));
  if (holds(type.sharding.unreduced)) return fmt::format("is already in {{U_…}} of {}", label(type));
  return "";
}

std::string axes_of(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes()) names.push_back(axis.name);
  if (names.empty()) return "the mesh has no axes";
  return fmt::format("the mesh has {} {}", names.size() == 1 ? "the axis" : "axes", fmt::join(names, ", "));
}

}  // namespace notation

std::string_view name(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kAllGather: return "AllGather";
    case CollectiveKind::kReduceScatter: return "ReduceScatter";
    case CollectiveKind::kAllReduce: return "AllReduce";
    case CollectiveKind::kAllToAll: return "AllToAll";
  }
  return "";
}

std::string to_string(const ArrayType& type, const Mesh& mesh) {
  const std::string_view gap = type.name.empty() ? "" : " ";
  return fmt::format("{}{}{}", name(type.dtype), gap, notation::array_text(type, mesh, notation::Detail::kFull));
}

namespace {

struct StatementPrinter {
  const Mesh& mesh;

  std::string operator()(const Product& product) const {
    return fmt::format("{} * {} -> {}", to_string(product.a, mesh), to_string(product.b, mesh),
                       to_string(product.c, mesh));
  }
  std::string operator()(const Reshard& reshard) const {
    return fmt::format("{} -> {}", to_string(reshard.from, mesh), to_string(reshard.to, mesh));
  }
  std::string operator()(const Collective& collective) const {
    const auto& [kind, axes, dim, from, to] = collective;
    const std::string target = dim ? "," + from.dims[static_cast<std::size_t>(*dim)].index : "";
    return fmt::format("{}_{}{}({})", name(kind), notation::axes_text(axes, mesh), target, to_string(from, mesh));
  }
};

}  // namespace

std::string to_string(const Statement& statement, const Mesh& mesh) {
  return std::visit(StatementPrinter{mesh}, statement);
}

}  // namespace meshmul
