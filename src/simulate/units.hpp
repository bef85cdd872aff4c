#pragma once
// Which cores, copy engines and memories the ranks have, and which ranks share them: those that follow each other.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "meshmul/hardware.hpp"
#include "meshmul/simulate.hpp"
#include "program.hpp"

namespace meshmul::simulation {

/// Cores come first, then the copy engines of each chip as one unit. Cores are units only where ranks share them, copy
/// engines only where the machine says how many it has.
class Units {
 public:
  Units(const Hardware& hardware, const SimulateOptions& options, int num_ranks)
      : ranks_per_core_(std::max(options.ranks_per_core, options.ranks_per_chip)),
        ranks_per_memory_(std::max(options.ranks_per_memory, options.ranks_per_chip)),
        ranks_per_chip_(options.ranks_per_chip),
        has_engines_(hardware.chip.copy_engines.has_value()) {
    if (ranks_per_core_ > 1) capacities_.assign(groups(num_ranks, ranks_per_core_), 1);
    first_engines_ = static_cast<std::uint32_t>(capacities_.size());
    if (has_engines_)
      capacities_.resize(first_engines_ + groups(num_ranks, ranks_per_chip_),
                         static_cast<std::uint32_t>(*hardware.chip.copy_engines));
    if (ranks_per_memory_ > 1) num_memories_ = groups(num_ranks, ranks_per_memory_);
  }

  const std::vector<std::uint32_t>& capacities() const { return capacities_; }
  std::size_t num_memories() const { return num_memories_; }
  std::uint32_t memory(int rank) const { return static_cast<std::uint32_t>(rank / ranks_per_memory_); }

  /// Of a gemm, reduce or map.
  std::uint32_t of_work(int rank) const {
    return ranks_per_core_ > 1 ? static_cast<std::uint32_t>(rank / ranks_per_core_) : FlatOp::kNoUnit;
  }
  /// Of a put or get.
  std::uint32_t of_transfer(int rank) const {
    return has_engines_ ? first_engines_ + static_cast<std::uint32_t>(rank / ranks_per_chip_) : FlatOp::kNoUnit;
  }
  std::uint32_t of_copy(int rank) const { return has_engines_ ? of_transfer(rank) : of_work(rank); }

 private:
  static std::size_t groups(int num_ranks, int size) { return static_cast<std::size_t>((num_ranks + size - 1) / size); }

  int ranks_per_core_, ranks_per_memory_, ranks_per_chip_;
  bool has_engines_;
  std::vector<std::uint32_t> capacities_;
  std::uint32_t first_engines_ = 0;
  std::size_t num_memories_ = 0;
};

}  // namespace meshmul::simulation
