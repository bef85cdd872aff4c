#include "base/option_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using testing::StrEq;
using testing::ThrowsMessage;

TEST(ParseBytes, reads_powers_of_1000_and_of_1024) {
  EXPECT_EQ(parse_bytes("300MB", "--memory"), 300'000'000);
  EXPECT_EQ(parse_bytes("1.5GB", "--memory"), 1'500'000'000);
  EXPECT_EQ(parse_bytes("16GiB", "--memory"), std::int64_t{16} << 30);
  EXPECT_EQ(parse_bytes("2 kB", "--memory"), 2000);
  EXPECT_EQ(parse_bytes("17", "--memory"), 17);
  EXPECT_EQ(parse_bytes("0", "--memory"), 0);
}

TEST(ParseBytes, refuses_what_is_no_amount_of_bytes) {
  for (const char* text : {"", "MB", "3 apples", "-1", "nan", "1e30TB", "3MBs"})
    EXPECT_THAT([&] { parse_bytes(text, "--memory"); },
                ThrowsMessage<Error>(
                    StrEq("--memory takes bytes, such as 300MB or 16GiB; found \"" + std::string(text) + "\"")));
}

TEST(ParseSeed, reads_64_bits) {
  EXPECT_EQ(parse_seed("18446744073709551615", "--random"), ~std::uint64_t{0});
  for (const char* text : {"", "-1", "1.5", "18446744073709551616"})
    EXPECT_THAT(
        [&] { parse_seed(text, "--random"); },
        ThrowsMessage<Error>(StrEq("--random takes a seed, such as --random=7; found \"" + std::string(text) + "\"")));
}

TEST(ParseDuration, reads_milliseconds_to_hours) {
  EXPECT_EQ(parse_duration("500ms", "--deadline").count(), 500);
  EXPECT_EQ(parse_duration("30s", "--deadline").count(), 30'000);
  EXPECT_EQ(parse_duration("0.5 min", "--deadline").count(), 30'000);
  EXPECT_EQ(parse_duration("1h", "--deadline").count(), 3'600'000);
}

TEST(ParseDuration, wants_a_unit_and_at_least_a_millisecond) {
  for (const char* text : {"30", "0s", "0.1ms", "s"})
    EXPECT_THAT([&] { parse_duration(text, "--deadline"); },
                ThrowsMessage<Error>(
                    StrEq("--deadline takes a time, such as 30s or 500ms; found \"" + std::string(text) + "\"")));
}

}  // namespace
}  // namespace meshmul
