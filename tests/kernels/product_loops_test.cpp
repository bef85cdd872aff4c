#include "kernels/product_loops.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace meshmul {
namespace {

/// A dense row-major view without memory.
ConstView dense(const Shape& shape) {
  return view_of(static_cast<const std::byte*>(nullptr), Dtype::kF32, shape, Box::whole(shape));
}

ProductLoops loops_of(const char* einsum, const Shape& a, const Shape& b, const Shape& c) {
  return product_loops(dense(c), dense(a), dense(b), parse_einsum(einsum));
}

TEST(ProductLoops, sort_letters_by_role_and_merge_neighbours) {
  const ProductLoops loops = loops_of("bijk,bkl->bijl", {2, 3, 4, 5}, {2, 5, 6}, {2, 3, 4, 6});
  ASSERT_EQ(loops.batch.size(), 1);
  EXPECT_EQ(loops.batch[0].a, 60);
  EXPECT_EQ(loops.batch[0].b, 30);
  EXPECT_EQ(loops.batch[0].c, 72);
  ASSERT_EQ(loops.left.size(), 1);  // i and j act as one index
  EXPECT_EQ(loops.left[0].extent, 12);
  EXPECT_EQ(loops.left[0].a, 5);
  EXPECT_EQ(loops.left[0].c, 6);
  EXPECT_EQ(loops.right[0].extent, 6);
  EXPECT_EQ(loops.contracted[0].extent, 5);
}

TEST(ProductLoops, keep_letters_apart_that_one_operand_has_apart) {
  const ProductLoops loops = loops_of("ikj,kl->ijl", {3, 5, 4}, {5, 6}, {3, 4, 6});
  EXPECT_EQ(loops.left.size(), 2);
  EXPECT_EQ(swapped(loops).right.size(), 2);
  EXPECT_EQ(swapped(loops).right[0].b, loops.left[0].a);
}

TEST(ProductLoops, drop_letters_of_one_element) {
  const ProductLoops loops = loops_of("ij,jk->ik", {1, 1}, {1, 7}, {1, 7});
  EXPECT_EQ(loops.left.size(), 0);
  EXPECT_EQ(loops.left.num_elements(), 1);
  EXPECT_EQ(loops.contracted.size(), 0);
  EXPECT_EQ(loops.right.size(), 1);
}

TEST(Panels, are_equal_as_far_as_boxes_can_be_and_cover_the_nest) {
  LoopNest nest;
  nest.push_back({3, 1000, 0, 0});
  nest.push_back({10, 1, 0, 0});
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> begins;
  for_each_panel(nest, 8, [&](const Panel& panel) {
    EXPECT_EQ(panel.index, static_cast<std::int64_t>(sizes.size()));
    sizes.push_back(panel.loops.num_elements());
    begins.push_back(panel.a);
  });
  EXPECT_THAT(sizes, testing::ElementsAre(5, 5, 5, 5, 5, 5));
  EXPECT_THAT(begins, testing::ElementsAre(0, 5, 1000, 1005, 2000, 2005));
  EXPECT_EQ(num_panels(nest, 8), 6);
  EXPECT_EQ(num_panels(nest, 20), 2);  // two and one of the outer loop
  EXPECT_EQ(num_panels(nest, 30), 1);
  EXPECT_EQ(num_panels(LoopNest(), 1), 1);
}

TEST(Panels, count_in_64_bits) {
  LoopNest nest;
  const std::int64_t huge = std::int64_t{1} << 33;
  nest.push_back({huge, 1, 1, 1});
  EXPECT_EQ(num_panels(nest, std::int64_t{1} << 30), 8);
  std::int64_t end = 0;
  for_each_panel(nest, std::int64_t{1} << 30, [&](const Panel& panel) { end = panel.a + panel.loops[0].extent; });
  EXPECT_EQ(end, huge);
}

}  // namespace
}  // namespace meshmul
