#include "plan/report/markdown.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

TEST(Markdown, WritesTypesAsCode) {
  EXPECT_EQ(markdown_steps({{"copy of A", "A[I] -> A[I]", "0 B", "", "free", "0 s", ""}}),
            "| step | types | bytes or FLOPs | hops | bound | time | made of |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n"
            "| copy of A | `A[I] -> A[I]` | 0 B |  | free | 0 s |  |\n");
}

TEST(Markdown, WritesALineForEachItem) { EXPECT_EQ(markdown_list({"one", "two"}), "- one\n- two\n"); }

}  // namespace
}  // namespace meshmul
