// The sentences of every rule, by golden files. In those of one rule the first case opens all others, and only what
// that rule says is compared.

#include "golden/golden.hpp"

#include <gmock/gmock.h>

#include <optional>

#include "meshmul/verify.hpp"

namespace meshmul {
namespace {

std::string findings_of(const std::string& text, std::optional<Rule> rule = std::nullopt) {
  const Schedule schedule = parse_schedule(text);
  std::string lines;
  VerifyOptions options;
  if (rule == Rule::kMemory) options.memory_bytes = 16;
  for (const Finding& finding : verify(schedule, options))
    if (!rule || finding.rule == *rule) lines += to_string(finding, schedule) + "\n";
  if (!lines.empty()) lines.pop_back();
  return lines;
}

struct GoldenFile {
  const char* name;
  Rule rule;
};

class GoldenFindings : public ::testing::TestWithParam<GoldenFile> {};

TEST_P(GoldenFindings, AreThoseOfTheFile) {
  const auto cases = testing::read_golden(std::string("golden/") + GetParam().name + ".txt");
  ASSERT_GT(cases.size(), 1U);
  for (std::size_t i = 1; i < cases.size(); ++i)
    EXPECT_EQ(findings_of(cases[0].in + "\n" + cases[i].in, GetParam().rule), cases[i].out) << cases[i].name;
}

INSTANTIATE_TEST_SUITE_P(Rules, GoldenFindings,
                         ::testing::Values(GoldenFile{"well_formed", Rule::kWellFormed},
                                           GoldenFile{"holdings", Rule::kWellFormed},
                                           GoldenFile{"deadlock", Rule::kDeadlock}, GoldenFile{"races", Rule::kRace},
                                           GoldenFile{"drained", Rule::kDrained}, GoldenFile{"memory", Rule::kMemory},
                                           GoldenFile{"back_to_back", Rule::kBackToBack},
                                           GoldenFile{"coverage", Rule::kCoverage}),
                         [](const auto& file) { return std::string(file.param.name); });

TEST(GoldenContracts, AreThoseOfTheFile) {
  for (const auto& [name, in, out] : testing::read_golden("golden/contracts.txt"))
    EXPECT_EQ(findings_of(in), out) << name;
}

}  // namespace
}  // namespace meshmul
