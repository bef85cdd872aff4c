#include "hardware/slice_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/word_list.hpp"
#include "meshmul/error.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {
namespace {

constexpr std::size_t kNumNearest = 3;

/// A slice to show how they are written.
Slice sample(const Hardware& hardware) {
  const SliceRule& rule = hardware.network.slices;
  if (hardware.network.kind == NetworkKind::kTorus)
    return !rule.sizes.empty() ? rule.sizes.back() : !rule.largest.empty() ? rule.largest : Slice{4, 4};
  return hardware.network.nodes ? Slice{2, hardware.network.nodes->devices_per_node} : Slice{8};
}

/// The slices of `num_axes` axes near to `wanted` in which every axis is a multiple of `step`: each axis rounded up and
/// down, no longer than the largest.
std::vector<Slice> rounded(const Slice& wanted, const SliceRule& rule) {
  const std::int64_t step = std::max<std::int64_t>(rule.multiple, 1);
  Slice longest = rule.largest;
  std::sort(longest.begin(), longest.end());
  std::vector<Slice> found{{}};
  for (std::size_t axis = 0; axis < longest.size(); ++axis) {
    std::vector<Slice> longer;
    const std::int64_t below = std::clamp(wanted[axis] / step * step, step, longest[axis]);
    const std::int64_t above = std::clamp((wanted[axis] + step - 1) / step * step, step, longest[axis]);
    for (const Slice& begun : found)
      for (const std::int64_t size : {below, above}) {
        longer.push_back(begun);
        longer.back().push_back(size);
      }
    found = std::move(longer);
  }
  return found;
}

/// `slice` ascending, with as many axes as the hardware has: filled up with axes of 1, its smallest axes merged.
Slice with_axes(Slice slice, std::size_t num_axes) {
  for (std::int64_t& size : slice) size = std::max<std::int64_t>(size, 1);
  std::sort(slice.begin(), slice.end());
  while (slice.size() > num_axes) {
    slice[1] *= slice[0];
    slice.erase(slice.begin());
    std::sort(slice.begin(), slice.end());
  }
  slice.insert(slice.begin(), num_axes - slice.size(), 1);
  return slice;
}

/// Octaves between two slices with as many axes: those of the axes, and twice those of the numbers of devices, which
/// matter more than the shape.
double distance(const Slice& one, const Slice& other) {
  const auto octaves = [](std::int64_t a, std::int64_t b) {
    return std::abs(std::log2(static_cast<double>(a) / static_cast<double>(b)));
  };
  double sum = 2 * octaves(num_devices(one), num_devices(other));
  for (std::size_t axis = 0; axis < one.size(); ++axis) sum += octaves(one[axis], other[axis]);
  return sum;
}

std::vector<Slice> nearest_on_torus(const SliceRule& rule, const Slice& slice) {
  const Slice wanted = with_axes(slice, rule.sizes.empty() ? rule.largest.size() : rule.sizes[0].size());
  std::vector<Slice> candidates = rule.sizes;
  if (!rule.largest.empty() && (rule.sizes.empty() || rule.multiple > 0))
    for (Slice& candidate : rounded(wanted, rule)) {
      std::sort(candidate.begin(), candidate.end());
      candidates.push_back(std::move(candidate));
    }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Slice& one, const Slice& other) {
    return distance(one, wanted) < distance(other, wanted);
  });
  std::size_t num_near = 1;
  while (num_near < std::min(candidates.size(), kNumNearest) &&
         distance(candidates[num_near], wanted) <= 3 * distance(candidates[0], wanted))
    ++num_near;
  candidates.resize(num_near);
  return candidates;
}

std::vector<Slice> nearest_on_switch(const Hardware& hardware, const Slice& slice) {
  std::vector<Slice> nearest = slices_with(hardware, num_devices(slice));
  if (const auto& nodes = hardware.network.nodes; nodes && slice.size() == 2)
    if (Slice whole_nodes{slice[0], nodes->devices_per_node}; exists(hardware, whole_nodes))
      nearest.push_back(std::move(whole_nodes));
  if (nearest.empty()) nearest.push_back(sample(hardware));
  return nearest;
}

/// `; as parts of nodes it is h100:2x6`, where nodes can have equal parts of more than one device.
std::string parts_of_nodes(const Hardware& hardware, std::int64_t devices) {
  if (!hardware.network.nodes) return "";
  for (std::int64_t part = hardware.network.nodes->devices_per_node; part > 1; --part)
    if (devices % part == 0)
      return fmt::format("; as parts of nodes it is {}:{}", hardware.name, slice_text({devices / part, part}));
  return "";
}

}  // namespace

std::string devices_text(std::int64_t devices) {
  return fmt::format("{} {}", devices, devices == 1 ? "device" : "devices");
}

std::string no_such_slice(const Hardware& hardware, const Slice& slice) {
  std::vector<std::string> names;
  for (const Slice& near : hardware.network.kind == NetworkKind::kTorus
                               ? nearest_on_torus(hardware.network.slices, slice)
                               : nearest_on_switch(hardware, slice))
    names.push_back(slice_text(near));
  return fmt::format("{} comes in no slice {}; the nearest {} {}", hardware.name, slice_text(slice),
                     names.size() == 1 ? "is" : "are", word_list(names, "and"));
}

Slice parse_slice(std::string_view text, const Hardware& hardware) {
  Slice slice;
  std::int64_t devices = 1;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    std::int64_t size = 0;
    const auto [stop, status] = std::from_chars(text.data() + begin, text.data() + end, size);
    if (status != std::errc() || stop != text.data() + end || size < 1 || size > Mesh::kMaxDevices / devices)
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' is no slice of {}; expected sizes such as {}, of at most {} devices", text,
                              hardware.name, slice_text(sample(hardware)), Mesh::kMaxDevices));
    devices *= size;
    slice.push_back(size);
    begin = end + 1;
  }
  if (!exists(hardware, slice)) throw Error(ErrorCode::kInvalidArgument, no_such_slice(hardware, slice));
  return slice;
}

std::string no_slice_for(const Mesh& mesh, const Hardware& hardware) {
  const std::int64_t devices = mesh.num_devices();
  const std::optional<Slice> largest = largest_slice(hardware);
  const std::int64_t most = largest ? num_devices(*largest) : Mesh::kMaxDevices;
  std::vector<std::string> near;
  const auto add_first = [&](std::int64_t from, std::int64_t step, std::int64_t end) {
    for (std::int64_t count = from; count != end; count += step)
      for (const Slice& slice : slices_with(hardware, count)) {
        near.push_back(fmt::format("{} ({})", slice_text(slice), devices_text(count)));
        return;
      }
  };
  add_first(std::min(devices, most + 1) - 1, -1, 0);
  if (devices < most) add_first(devices + 1, 1, most + 1);
  return fmt::format("{} comes in no slice of {}, as the mesh {} has; the nearest {} {}{}", hardware.name,
                     devices_text(devices), mesh.str(), near.size() == 1 ? "is" : "are", word_list(near, "and"),
                     parts_of_nodes(hardware, devices));
}

}  // namespace meshmul
