#pragma once
// The operands of the ops that move or compute, by role.

#include <functional>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

bool is_put_or_get(const Op& op);
bool is_signal_or_wait(const Op& op);

/// What `op`, not a Signal and not a Wait, writes.
Region& destination(Op& op);
const Region& destination(const Op& op);

/// What `op`, not a Signal and not a Wait, reads apart from its destination.
std::vector<std::reference_wrapper<Region>> sources(Op& op);
std::vector<Region> sources(const Op& op);

/// True if `op` reads its destination too: a reduce, a gemm that accumulates.
bool reads_destination(const Op& op);

/// Sets the signal that `op` raises when it is done: `arrived`, or that of a Signal.
void set_arrived(Op& op, int signal);
/// Takes `arrived` away from an op that need not have one.
void clear_arrived(Op& op);
/// Sets `sent` of a Put or `taken` of a Get.
void set_read_done(Op& op, int signal);

}  // namespace meshmul
