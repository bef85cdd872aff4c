#pragma once
// Boxes of an array one behind the other in a buffer: what a rank holds when that is not one box.

#include <cstdint>
#include <vector>

#include "../placed_array.hpp"

namespace meshmul {

/// For every rank a stack of blocks, which are named by the ranks that they are for. Each lies in the corner of its part of
/// the buffer, and the parts follow one another along the first dimension.
class BoxStacks {
 public:
  /// `owners` by rank: whose blocks its stack has. `blocks` by owner; at least one dimension.
  BoxStacks(std::vector<std::vector<int>> owners, std::vector<Box> blocks);

  const std::vector<int>& owners(int rank) const { return owners_[static_cast<std::size_t>(rank)]; }
  const Box& block(int owner) const { return blocks_[static_cast<std::size_t>(owner)]; }
  /// Of a buffer that has room for any of the stacks.
  const Shape& shape() const { return shape_; }

  /// `part` of the block of `owner`, where the stack of `of_rank` lies in `buffer` of `rank`.
  Region region(int rank, int buffer, int of_rank, int owner, const Box& part) const;

 private:
  std::vector<std::vector<int>> owners_;
  std::vector<Box> blocks_;
  std::vector<std::vector<std::int64_t>> begins_;  // as `owners_`: along the first dimension
  Shape shape_;
};

}  // namespace meshmul
