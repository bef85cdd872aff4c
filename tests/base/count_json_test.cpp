#include "base/count_json.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

TEST(CountJson, of_a_whole_number_has_no_fraction) {
  EXPECT_EQ(count_json(64).dump(), "64");
  EXPECT_EQ(count_json(0).dump(), "0");
  EXPECT_EQ(count_json(9007199254740991.0).dump(), "9007199254740991");
}

TEST(CountJson, of_another_number_is_a_float) {
  EXPECT_EQ(count_json(2.5).dump(), "2.5");
  EXPECT_EQ(count_json(0x1p60).dump(), "1.152921504606847e+18");
  EXPECT_EQ(count_json(std::nan("")).dump(), "null");
}

}  // namespace
}  // namespace meshmul
