#include "cost_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/amounts.hpp"
#include "base/count_json.hpp"
#include "meshmul/figures.hpp"
#include "meshmul/footprint.hpp"
#include "meshmul/layout.hpp"

namespace meshmul::cli {
namespace {

std::string bytes(double amount) { return format_amount(amount, "B"); }
std::string bytes(std::int64_t amount) { return bytes(static_cast<double>(amount)); }

std::vector<std::string> names_of(const std::vector<int>& axes, const Mesh& mesh) {
  std::vector<std::string> names;
  for (const int axis : axes) names.push_back(mesh.name(axis));
  return names;
}

std::string text_of(const ArrayType& type, const Footprint& footprint, const CostQuestion& question) {
  const Mesh& mesh = question.mesh;
  std::string text = to_string(type, mesh) + "\n";
  text += fmt::format("device    [{}], {}{}\n", fmt::join(footprint.local_shape, ", "), bytes(footprint.local_bytes),
                      footprint.even ? "" : "; the largest shard, others are smaller");
  text += fmt::format("array     [{}], {}\n", fmt::join(global_shape(type), ", "), bytes(footprint.array_bytes));
  text += fmt::format("devices   {}, {} together\n", mesh.num_devices(), bytes(footprint.total_bytes));
  if (footprint.fraction < 1)
    text +=
        fmt::format("shards    {}, each {:.4g} of the array\n", fmt::join(footprint.shards, " x "), footprint.fraction);
  if (!footprint.copied_along.empty())
    text += fmt::format("copies    {} of every element, along {}\n", footprint.copies,
                        fmt::join(names_of(footprint.copied_along, mesh), ", "));
  if (!footprint.partial_along.empty())
    text += fmt::format("sums      every device holds a partial one, along {}\n",
                        fmt::join(names_of(footprint.partial_along, mesh), ", "));
  if (question.hardware_given)
    text += fmt::format("reading   {} from the memory of {}\n",
                        format_seconds(read_seconds(type, mesh, question.hardware)), question.hardware.name);
  if (question.device)
    text += fmt::format("device {} {}\n", *question.device, as_text(held_indices(type, mesh, *question.device)));
  return text;
}

std::string json_of(const ArrayType& type, const Footprint& footprint, const CostQuestion& question) {
  const Mesh& mesh = question.mesh;
  Json json{{"array", to_string(type, mesh)},
            {"mesh", mesh.str()},
            {"local_shape", footprint.local_shape},
            {"bytes_per_device", footprint.local_bytes},
            {"even", footprint.even},
            {"array_bytes", footprint.array_bytes},
            {"total_bytes", count_json(footprint.total_bytes)},
            {"shards", footprint.shards},
            {"fraction", footprint.fraction},
            {"copies", footprint.copies},
            {"copied_along", names_of(footprint.copied_along, mesh)},
            {"partial_along", names_of(footprint.partial_along, mesh)}};
  if (question.hardware_given) {
    json["hardware"] = question.hardware.name;
    json["read_seconds"] = read_seconds(type, mesh, question.hardware);
  }
  if (question.device) json["held"] = as_json(held_indices(type, mesh, *question.device));
  return to_text(json);
}

}  // namespace

std::string array_cost(const ArrayType& type, const CostQuestion& question) {
  const Footprint found = footprint(type, question.mesh);
  return question.json ? json_of(type, found, question) : text_of(type, found, question);
}

std::vector<HeldIndex> held_indices(const ArrayType& type, const Mesh& mesh, int device) {
  std::vector<HeldIndex> held;
  for (int dim = 0; dim < type.num_dims(); ++dim)
    held.push_back({type.dims[static_cast<std::size_t>(dim)].index, local_interval(type, mesh, device, dim)});
  return held;
}

std::string as_text(const std::vector<HeldIndex>& held) {
  std::vector<std::string> parts;
  for (const auto& [index, elements] : held) {
    const std::string_view gap = index.empty() ? "" : " ";
    parts.push_back(elements.size() == 0 ? fmt::format("{}{}none", index, gap)
                                         : fmt::format("{}{}{} to {}", index, gap, elements.begin, elements.end - 1));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json as_json(const std::vector<HeldIndex>& held) {
  Json json = Json::array();
  for (const auto& [index, elements] : held)
    json.push_back({{"index", index}, {"begin", elements.begin}, {"end", elements.end}});
  return json;
}

}  // namespace meshmul::cli
