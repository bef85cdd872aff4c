#pragma once
// The buffers of a schedule that is being written.

#include <string>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// Declares a private buffer on every rank and returns its number. A name that is taken gets a number behind it.
int add_buffer(Schedule& schedule, const std::string& name, Dtype dtype, Shape shape);

/// Makes every buffer symmetric that is part of the contract or that an op touches at a peer.
void make_shared_buffers_symmetric(Schedule& schedule);

}  // namespace meshmul
