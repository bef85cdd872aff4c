#include "plan/report/table.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

TEST(Table, AlignsItsColumns) {
  EXPECT_EQ(text_table({{"a", "long", ""}, {"wider", "b", "end"}}), "  a      long\n  wider  b     end\n");
  EXPECT_EQ(text_table({}), "");
}

TEST(Table, IsWrittenInMarkdown) {
  EXPECT_EQ(markdown_table({"step", "time"}, {{"a|b", "1 us"}}), "| step | time |\n| --- | --- |\n| a\\|b | 1 us |\n");
}

}  // namespace
}  // namespace meshmul
