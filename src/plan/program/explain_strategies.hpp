#pragma once
// Plans of programs in words: how their arrays are cut, and why one lost.

#include <optional>
#include <string>

#include "meshmul/program_plan.hpp"

namespace meshmul {

/// `In[B, D_XY], W_in[D, F_XY], Out[B, D_XY]`: given arrays and outputs.
std::string shardings_in_short(const Program& closed, const Mesh& mesh);

/// `AllGather_XY of Win and Wout, ReduceScatter_XY of Out`, in the order in which they come; empty if nothing moves.
std::string moves_in_short(const PlannedProgram& planned, const Mesh& mesh);

/// The term in which the loser lost: the moves of one kind that cost most and that the winner does not make, or the
/// products; and the memory if it does not fit.
std::string explain_loss(const PlannedProgram& winner, const PlannedProgram& loser,
                         std::optional<std::int64_t> memory_limit, bool overlapped, const Mesh& mesh);

}  // namespace meshmul
