// The sentences of every rule, by golden files. In those of one rule the first case opens all others.

#include "golden/golden.hpp"

#include <gmock/gmock.h>

#include "verify/schedules.hpp"

namespace meshmul {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

class GoldenFindings : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenFindings, AreThoseOfTheFile) {
  const auto cases = testing::read_golden(std::string("golden/") + GetParam() + ".txt");
  ASSERT_GT(cases.size(), 1U);
  for (std::size_t i = 1; i < cases.size(); ++i)
    EXPECT_EQ(joined(testing::findings_of(parse_schedule(cases[0].in + "\n" + cases[i].in))), cases[i].out)
        << cases[i].name;
}

TEST(GoldenContracts, AreThoseOfTheFile) {
  for (const auto& [name, in, out] : testing::read_golden("golden/contracts.txt"))
    EXPECT_EQ(joined(testing::findings_of(parse_schedule(in))), out) << name;
}

INSTANTIATE_TEST_SUITE_P(Rules, GoldenFindings, ::testing::Values("well_formed", "holdings", "deadlock", "coverage"),
                         [](const auto& file) { return std::string(file.param); });

}  // namespace
}  // namespace meshmul
