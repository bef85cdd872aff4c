// Ranks are placed on GPUs in blocks of neighbours, as many on each as is asked for, and no GPU is made up.

#include "execute/cuda/placement.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "support/error_of.hpp"

namespace meshmul::cuda {
namespace {

using ::testing::ElementsAre;

TEST(Placement, SpreadsRanksEvenlyByDefault) {
  EXPECT_THAT(place_ranks(4, 1, {}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(place_ranks(4, 2, {}), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(place_ranks(5, 2, {}), ElementsAre(0, 0, 0, 1, 1));
  EXPECT_THAT(place_ranks(4, 3, {}), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(place_ranks(2, 8, {}), ElementsAre(0, 1));
  EXPECT_THAT(place_ranks(0, 8, {}), ElementsAre());
}

TEST(Placement, PutsSoManyNeighboursOnEachAsAreAskedFor) {
  EXPECT_THAT(place_ranks(4, 8, 1), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(place_ranks(4, 8, 2), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(place_ranks(5, 2, 4), ElementsAre(0, 0, 0, 0, 1));
  EXPECT_THAT(place_ranks(3, 1, 2'000'000'000), ElementsAre(0, 0, 0));
}

TEST(Placement, RefusesWhatDoesNotFit) {
  EXPECT_EQ(testing::error_of([] { place_ranks(5, 2, 2); }),
            "5 ranks, 2 on each GPU, need 3 GPUs of compute capability 9.0; this machine has 2; expected 3 ranks "
            "per GPU or more");
  EXPECT_EQ(testing::error_of([] { place_ranks(4, 1, 0); }), "0 ranks per GPU; expected 1 at least");
}

}  // namespace
}  // namespace meshmul::cuda
