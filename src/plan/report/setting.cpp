#include "plan/report/setting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace meshmul {
namespace {

/// All mesh axes lie on one hardware axis, as in the node of a switch or along the only row of a slice.
bool is_plain(const Mapping& mapping) {
  const std::vector<int>* place = nullptr;
  for (const AxisMapping& axis : mapping.axes) {
    if (axis.hardware_axes.empty()) continue;
    if (axis.hardware_axes.size() > 1 || (place != nullptr && *place != axis.hardware_axes)) return false;
    place = &axis.hardware_axes;
  }
  return true;
}

}  // namespace

std::string setting_sentence(const Setting& setting) {
  const auto& [mesh, hardware, cost, slice, mapping] = setting;
  std::string text = fmt::format("mesh {} on {}", mesh.num_axes() == 0 ? "of one device" : mesh.str(), hardware);
  if (!slice.empty()) text += fmt::format(":{}", fmt::join(slice, "x"));
  if (!is_plain(mapping)) text += fmt::format(" with --map {}", to_string(mapping, mesh));
  return text + fmt::format(", model {}", to_string(cost));
}

Json setting_json(const Setting& setting) {
  Json json{{"mesh", setting.mesh.str()}, {"hardware", setting.hardware}, {"model", to_string(setting.cost)}};
  if (!setting.slice.empty()) json["slice"] = setting.slice;
  if (const std::string map = to_string(setting.mapping, setting.mesh); !map.empty()) json["map"] = map;
  return json;
}

}  // namespace meshmul
