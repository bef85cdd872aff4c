#pragma once
// Which slices of a machine there are. The public part of it is in meshmul/hardware.hpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/hardware.hpp"

namespace meshmul {

using Slice = std::vector<std::int64_t>;

std::int64_t num_devices(const Slice& slice);
/// `4x4`.
std::string slice_text(const Slice& slice);

/// A slice of a switch: `8` is one node.
struct NodeGrid {
  std::int64_t num_nodes = 1;
  std::int64_t devices_per_node = 1;
};
NodeGrid node_grid(const Slice& slice);

/// Whether the hardware comes in slices of these sizes, in any order.
bool exists(const Hardware& hardware, const Slice& slice);

/// Whether the profile restricts the slices of its torus at all.
bool lists_slices(const Hardware& hardware);

/// The slice with the most devices; nothing where any number of devices can be had.
std::optional<Slice> largest_slice(const Hardware& hardware);

}  // namespace meshmul
