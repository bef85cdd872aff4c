#pragma once
// What a schedule asks of a backend.

#include "meshmul/schedule.hpp"

namespace meshmul {

/// True if `op` of `rank`, which is neither put nor get, touches a peer's memory or raises a signal of its own.
bool needs_addressable(const Op& op, int rank);

/// True if `op` is a put or get with a side that is not contiguous.
bool needs_strided(const Op& op, const std::vector<BufferDecl>& buffers);

/// The least that the ops of `schedule` can do with, and the barrier if it requires one: whether it could do without, no
/// op tells.
Capabilities required_capabilities(const Schedule& schedule);

}  // namespace meshmul
