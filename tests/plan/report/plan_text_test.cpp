#include <gtest/gtest.h>

#include <sstream>

#include "golden/golden.hpp"
#include "meshmul/plan.hpp"

namespace meshmul {
namespace {

TEST(PlanText, IsThatOfTheGoldenFile) {
  const auto cases = testing::read_golden("golden/plan_texts.txt");
  ASSERT_FALSE(cases.empty());
  for (const testing::GoldenCase& c : cases) {
    SCOPED_TRACE(c.name);
    std::istringstream in(c.in);
    std::string mesh_text;
    std::string rest;
    std::string statement;
    std::getline(in, mesh_text, ' ');
    std::getline(in, rest);
    std::getline(in, statement);
    std::istringstream settings(rest);
    std::string hardware;
    PlanOptions options;
    settings >> hardware >> options.max_rejected;
    const Mesh mesh = parse_mesh(mesh_text);
    EXPECT_EQ(to_string(plan(parse_statement(statement, mesh), mesh, find_hardware(hardware), options)), c.out + "\n");
  }
}

}  // namespace
}  // namespace meshmul
