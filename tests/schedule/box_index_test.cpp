#include "schedule/box_index.hpp"

#include <gmock/gmock.h>

#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<int> overlapping(const BoxIndex& index, const Box& box) {
  std::vector<int> numbers;
  index.visit_overlapping(box, [&](int number) { numbers.push_back(number); });
  return numbers;
}

TEST(BoxIndex, FindsWhatOverlaps) {
  BoxIndex index;
  index.add(0, Box{{0, 4}});
  index.add(1, Box{{4, 8}});
  index.add(2, Box{{0, 100}});
  EXPECT_THAT(overlapping(index, Box{{3, 4}}), UnorderedElementsAre(0, 2));
  EXPECT_THAT(overlapping(index, Box{{3, 5}}), UnorderedElementsAre(0, 1, 2));
  EXPECT_THAT(overlapping(index, Box{{8, 9}}), ElementsAre(2));
  EXPECT_THAT(overlapping(index, Box{{100, 101}}), IsEmpty());
}

TEST(BoxIndex, ScalarsOverlap) {
  BoxIndex index;
  for (int i = 0; i < 40; ++i) index.add(i, Box{});
  EXPECT_EQ(overlapping(index, Box{}).size(), 40U);
  index.cut_out(Box{});
  EXPECT_THAT(overlapping(index, Box{}), IsEmpty());
}

TEST(BoxIndex, CutsAwayWholeBoxesAndTheirEnds) {
  BoxIndex index;
  index.add(0, Box{{0, 4}, {0, 4}});
  index.add(1, Box{{2, 8}, {0, 4}});
  index.add(2, Box{{2, 8}, {2, 6}});
  index.cut_out(Box{{0, 4}, {0, 4}});
  EXPECT_THAT(overlapping(index, Box{{0, 4}, {0, 2}}), IsEmpty());
  EXPECT_THAT(overlapping(index, Box{{4, 5}, {0, 2}}), ElementsAre(1));
}

TEST(BoxIndex, ABoxThatWouldFallIntoPiecesStays) {
  BoxIndex index;
  index.add(0, Box{{0, 9}});
  index.cut_out(Box{{3, 6}});
  EXPECT_THAT(overlapping(index, Box{{4, 5}}), ElementsAre(0));
}

// The same by looking at every box.
class PlainList {
 public:
  void add(int number, const Box& box) { all_.emplace_back(number, box); }
  void cut_out(const Box& cut) {
    for (auto& [number, box] : all_) {
      if (!overlap(box, cut)) continue;
      const std::vector<Box> rest = subtract(box, cut);
      if (rest.size() <= 1) box = rest.empty() ? Box{{0, 0}, {0, 0}} : rest.front();
    }
  }
  std::vector<int> overlapping(const Box& box) const {
    std::vector<int> numbers;
    for (const auto& [number, other] : all_)
      if (overlap(other, box)) numbers.push_back(number);
    return numbers;
  }

 private:
  std::vector<std::pair<int, Box>> all_;
};

TEST(BoxIndex, FindsTheSameAsLookingAtEveryBox) {
  std::mt19937 random(7);
  const auto below = [&](unsigned limit) { return static_cast<std::int64_t>(random() % limit); };
  // Boxes that differ most in one dimension or the other, of many sizes or of one.
  for (const auto& [rows, columns, sizes] :
       {std::tuple(3U, 500U, 40U), std::tuple(500U, 3U, 40U), std::tuple(60U, 60U, 2U)}) {
    BoxIndex index;
    PlainList list;
    const auto box = [&, rows = rows, columns = columns, sizes = sizes] {
      const std::int64_t row = below(rows);
      const std::int64_t column = below(columns);
      return Box{{row, row + 1 + below(sizes)}, {column, column + 1 + below(sizes)}};
    };
    for (int i = 0; i < 400; ++i) {
      const Box next = box();
      if (below(3) == 0) {
        index.cut_out(next);
        list.cut_out(next);
      }
      index.add(i, next);
      list.add(i, next);
      const Box asked = box();
      ASSERT_THAT(overlapping(index, asked), UnorderedElementsAreArray(list.overlapping(asked)));
    }
  }
}

}  // namespace
}  // namespace meshmul
