#include "box_stacks.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace meshmul {

BoxStacks::BoxStacks(std::vector<std::vector<int>> owners, std::vector<Box> blocks)
    : owners_(std::move(owners)), blocks_(std::move(blocks)) {
  shape_.resize(static_cast<std::size_t>(blocks_.front().num_dims()), 0);
  for (const std::vector<int>& stack : owners_) {
    std::vector<std::int64_t>& begins = begins_.emplace_back();
    std::int64_t height = 0;
    for (const int owner : stack) {
      begins.push_back(height);
      const Shape shape = block(owner).shape();
      height += shape.front();
      for (std::size_t d = 1; d < shape.size(); ++d) shape_[d] = std::max(shape_[d], shape[d]);
    }
    shape_.front() = std::max(shape_.front(), height);
  }
}

Region BoxStacks::region(int rank, int buffer, int of_rank, int owner, const Box& part) const {
  const std::vector<int>& stack = owners(of_rank);
  const auto found = std::find(stack.begin(), stack.end(), owner);
  assert(found != stack.end());
  Region region = region_in_corner(rank, buffer, block(owner), part);
  const std::int64_t begin =
      begins_[static_cast<std::size_t>(of_rank)][static_cast<std::size_t>(found - stack.begin())];
  if (!region.box[0].empty()) region.box[0] = {region.box[0].begin + begin, region.box[0].end + begin};
  return region;
}

}  // namespace meshmul
