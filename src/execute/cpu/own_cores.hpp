#pragma once
// Which cores a rank keeps to: where each core has as many ranks, those that wake together never meet on one while another
// idles.

#include <vector>

namespace meshmul {

/// The part of `cores` for `rank` of `num_ranks`: as many as there are for each, neighbours, no core twice. One where there
/// are more ranks than cores and each core gets as many, which follow each other; all of them where some would get more than
/// others, and for a single rank.
std::vector<int> cores_of_rank(const std::vector<int>& cores, int rank, int num_ranks);

/// The cores that the calling thread may run on, rising; empty if the machine does not say.
std::vector<int> allowed_cores();

/// True if the cores that the calling thread may run on suffice for a rank each, or the machine does not say.
bool has_own_cores(int num_ranks);

/// From now on the calling thread, that of `rank`, runs on its part of the cores that it may run on. Where the machine does
/// not let it, it goes on as before.
void keep_to_own_cores(int rank, int num_ranks);

}  // namespace meshmul
