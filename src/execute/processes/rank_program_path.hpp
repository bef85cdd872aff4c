#pragma once
// Where the program meshmul-rank is, which every rank of the executor `processes` runs.

#include <filesystem>
#include <vector>

namespace meshmul {

/// The places to look at, best first: the environment variable MESHMUL_RANK_PROGRAM if it is set (then no other), the
/// folder of this program, `../libexec/meshmul` seen from there, and what `set_rank_program` was told.
std::vector<std::filesystem::path> rank_program_candidates();

/// The first candidate that can be executed. Throws Error(kMachine) naming all of them if there is none.
std::filesystem::path find_rank_program();

}  // namespace meshmul
