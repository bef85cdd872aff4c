#include "base/amounts.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

TEST(FormatNumber, has_no_exponent_where_it_is_large) {
  EXPECT_EQ(format_number(3.2249), "3.22");
  EXPECT_EQ(format_number(1.0), "1");
  EXPECT_EQ(format_number(999.6), "1000");
  EXPECT_EQ(format_number(820'050.8), "820051");
}

TEST(FormatAmount, keeps_three_digits_and_takes_the_fitting_prefix) {
  EXPECT_EQ(format_amount(0, "B"), "0 B");
  EXPECT_EQ(format_amount(512, "B"), "512 B");
  EXPECT_EQ(format_amount(1024, "B"), "1.02 kB");
  EXPECT_EQ(format_amount(4.5e10, "B/s"), "45 GB/s");
  EXPECT_EQ(format_amount(1.98e15, "FLOP/s"), "1.98 PFLOP/s");
  EXPECT_EQ(format_amount(1.5, "hops"), "1.5 hops");
}

TEST(FormatAmount, rounds_into_the_next_prefix) {
  EXPECT_EQ(format_amount(999.4, "B"), "999 B");
  EXPECT_EQ(format_amount(999'700, "B"), "1 MB");
  EXPECT_EQ(format_amount(12'345e15, "B"), "12345 PB");
}

TEST(FormatSeconds, goes_from_picoseconds_to_seconds) {
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_seconds(2.25e-6), "2.25 us");
  EXPECT_EQ(format_seconds(0.012), "12 ms");
  EXPECT_EQ(format_seconds(1.1184e-3), "1.118 ms");
  EXPECT_EQ(format_seconds(999.94e-6), "999.9 us");
  EXPECT_EQ(format_seconds(999.96e-6), "1 ms");
  EXPECT_EQ(format_seconds(90), "90 s");
  EXPECT_EQ(format_seconds(7200), "7200 s");
  EXPECT_EQ(format_seconds(5e-12), "5 ps");
}

}  // namespace
}  // namespace meshmul
