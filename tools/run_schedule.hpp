#pragma once
// `meshmul run SCHEDULE.txt`: carries out a schedule that was read.

#include "run_options.hpp"
#include "verb.hpp"

namespace meshmul::cli {

/// The statement in `options` is the path. The inputs of its contract come from files or are random. It is proven first, and
/// what `verify` finds is the answer; without proof it is still refused if an op is not well-formed or it would never end.
Answer run_schedule(const RunOptions& options);

}  // namespace meshmul::cli
