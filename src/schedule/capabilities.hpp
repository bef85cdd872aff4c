#pragma once
// What a schedule asks of a backend.

#include "meshmul/schedule.hpp"

namespace meshmul {

/// True if the elements of `box` lie side by side in a row-major buffer of `shape`; so does an empty box.
bool is_contiguous(const Box& box, const Shape& shape);

/// True if `op` of `rank`, which is neither put nor get, touches a peer's memory or raises a signal of its own.
bool needs_addressable(const Op& op, int rank);

/// True if `op` is a put or get with a side that is not contiguous.
bool needs_strided(const Op& op, const std::vector<BufferDecl>& buffers);

/// The least that the ops of `schedule` can do with.
Capabilities required_capabilities(const Schedule& schedule);

}  // namespace meshmul
