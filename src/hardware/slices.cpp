#include "hardware/slices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "meshmul/mesh.hpp"

namespace meshmul {
namespace {

Slice ascending(Slice slice) {
  std::sort(slice.begin(), slice.end());
  return slice;
}

/// Both ascending: no axis is longer than its like.
bool fits_in(const Slice& slice, const Slice& largest) {
  return slice.size() == largest.size() &&
         std::equal(slice.begin(), slice.end(), largest.begin(), std::less_equal<std::int64_t>());
}

bool exists_on_torus(const SliceRule& rule, const Slice& slice) {
  const Slice sorted = ascending(slice);
  if (std::find(rule.sizes.begin(), rule.sizes.end(), sorted) != rule.sizes.end()) return true;
  if (!rule.sizes.empty() && rule.multiple == 0) return false;
  const auto is_multiple = [&](std::int64_t size) { return rule.multiple == 0 || size % rule.multiple == 0; };
  if (!std::all_of(sorted.begin(), sorted.end(), is_multiple)) return false;
  if (!rule.largest.empty()) return fits_in(sorted, ascending(rule.largest));
  return rule.sizes.empty() || sorted.size() == rule.sizes[0].size();
}

bool exists_on_switch(const Network& network, const Slice& slice) {
  if (slice.empty() || slice.size() > 2) return false;
  const NodeGrid grid = node_grid(slice);
  if (!network.slices.largest.empty() && num_devices(slice) > network.slices.largest[0]) return false;
  return network.nodes ? grid.devices_per_node <= network.nodes->devices_per_node : grid.num_nodes == 1;
}

/// Appends the ascending slices of `num_axes` axes that are multiples of `step` and make `devices` to `found`.
void append_products(std::size_t num_axes, std::int64_t step, std::int64_t devices, Slice& begun,
                     std::vector<Slice>& found) {
  const std::int64_t smallest = begun.empty() ? step : begun.back();
  if (num_axes == 1) {
    if (devices < smallest || devices % step != 0) return;
    found.push_back(begun);
    found.back().push_back(devices);
    return;
  }
  for (std::int64_t size = smallest; size <= devices / size; size += step) {
    if (devices % size != 0) continue;
    begun.push_back(size);
    append_products(num_axes - 1, step, devices / size, begun, found);
    begun.pop_back();
  }
}

std::vector<Slice> torus_slices_with(const SliceRule& rule, std::int64_t devices) {
  std::vector<Slice> found;
  if (!rule.largest.empty() && (rule.sizes.empty() || rule.multiple > 0)) {
    Slice begun;
    append_products(rule.largest.size(), std::max<std::int64_t>(rule.multiple, 1), devices, begun, found);
    const Slice largest = ascending(rule.largest);
    std::erase_if(found, [&](const Slice& slice) { return !fits_in(slice, largest); });
  }
  for (const Slice& slice : rule.sizes)
    if (num_devices(slice) == devices) found.push_back(slice);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<Slice> switch_slices_with(const Network& network, std::int64_t devices) {
  Slice slice{devices};
  if (network.nodes && devices > network.nodes->devices_per_node) {
    if (devices % network.nodes->devices_per_node != 0) return {};
    slice = {devices / network.nodes->devices_per_node, network.nodes->devices_per_node};
  }
  return exists_on_switch(network, slice) ? std::vector<Slice>{slice} : std::vector<Slice>{};
}

}  // namespace

std::int64_t num_devices(const Slice& slice) {
  return std::accumulate(slice.begin(), slice.end(), std::int64_t{1}, std::multiplies<>());
}

std::string slice_text(const Slice& slice) { return fmt::format("{}", fmt::join(slice, "x")); }

NodeGrid node_grid(const Slice& slice) {
  return slice.size() == 1 ? NodeGrid{1, slice[0]} : NodeGrid{slice[0], slice[1]};
}

bool exists(const Hardware& hardware, const Slice& slice) {
  if (std::any_of(slice.begin(), slice.end(), [](std::int64_t size) { return size < 1; })) return false;
  return hardware.network.kind == NetworkKind::kTorus ? exists_on_torus(hardware.network.slices, slice)
                                                      : exists_on_switch(hardware.network, slice);
}

bool lists_slices(const Hardware& hardware) {
  const SliceRule& rule = hardware.network.slices;
  return !rule.sizes.empty() || !rule.largest.empty();
}

std::optional<Slice> largest_slice(const Hardware& hardware) {
  const SliceRule& rule = hardware.network.slices;
  if (!rule.largest.empty()) return rule.largest;
  if (rule.sizes.empty()) return std::nullopt;
  return *std::max_element(rule.sizes.begin(), rule.sizes.end(),
                           [](const Slice& one, const Slice& other) { return num_devices(one) < num_devices(other); });
}

bool wraps(const Hardware& hardware, const std::vector<std::int64_t>& slice, int axis) {
  const std::int64_t length = slice[static_cast<std::size_t>(axis)];
  const WrapRule& rule = hardware.network.wrap;
  if (hardware.network.kind == NetworkKind::kSwitch || length == 1) return false;
  switch (rule.kind) {
    case WrapRule::Kind::kAll: return true;
    case WrapRule::Kind::kNone: return false;
    case WrapRule::Kind::kLength: return length == rule.size;
    case WrapRule::Kind::kWholeCubes:
      return std::all_of(slice.begin(), slice.end(), [&](std::int64_t size) { return size % rule.size == 0; });
  }
  __builtin_unreachable();
}

std::vector<std::vector<std::int64_t>> slices_with(const Hardware& hardware, std::int64_t num_devices) {
  if (num_devices < 1) return {};
  return hardware.network.kind == NetworkKind::kTorus ? torus_slices_with(hardware.network.slices, num_devices)
                                                      : switch_slices_with(hardware.network, num_devices);
}

}  // namespace meshmul
