#pragma once
// What a mapping is checked against: the slice, and what does not fit on it.

#include <optional>

#include "hardware/mapping_fault.hpp"
#include "hardware/slices.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {

/// The slice whose axes a mapping of `mesh` names. Throws Error(kInvalidArgument) if there is none or more than one.
Slice slice_to_map(const Mesh& mesh, const Hardware& hardware);

/// The first reason why `mapping`, which has the axes of `mesh`, does not fit.
std::optional<MappingFault> find_fault(const Mapping& mapping, const Mesh& mesh, const Slice& slice,
                                       const Hardware& hardware, TopologyRule rule);

}  // namespace meshmul
