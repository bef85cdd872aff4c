#include "own_cores.hpp"

#include <sched.h>

#include <cstddef>

namespace meshmul {

std::vector<int> cores_of_rank(const std::vector<int>& cores, int rank, int num_ranks) {
  const auto count = static_cast<std::ptrdiff_t>(cores.size());
  if (num_ranks == 1 || count == 0) return cores;
  if (num_ranks > count && num_ranks % count != 0) return cores;
  if (num_ranks > count) return {cores[static_cast<std::size_t>(rank * count / num_ranks)]};
  return {cores.begin() + count * rank / num_ranks, cores.begin() + count * (rank + 1) / num_ranks};
}

std::vector<int> allowed_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  return cores;
}

bool has_own_cores(int num_ranks) {
  const std::vector<int> allowed = allowed_cores();
  return allowed.empty() || num_ranks <= static_cast<int>(allowed.size());
}

void keep_to_own_cores(int rank, int num_ranks) {
  const std::vector<int> allowed = allowed_cores();
  const std::vector<int> own = cores_of_rank(allowed, rank, num_ranks);
  if (own.size() == allowed.size()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : own) CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace meshmul
