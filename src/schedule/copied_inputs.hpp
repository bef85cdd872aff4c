#pragma once
// Lowering for measurements in which every run moves numbers that their owner has just written.

#include "meshmul/lower.hpp"

namespace meshmul {

/// As `lower`, but each rank first copies its inputs from where the contract has them, which nobody else touches, to memory
/// that the steps read. So one run after the other begins like that of a program which makes its inputs anew, and no
/// peer finds them in its own caches.
Schedule lower_with_copied_inputs(const Plan& plan, const LowerOptions& options = {});

}  // namespace meshmul
