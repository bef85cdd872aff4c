#include "plan/report/setting.hpp"

#include <gtest/gtest.h>

#include "meshmul/plan.hpp"

namespace meshmul {
namespace {

Plan plan_on(const Mesh& mesh, const std::string& hardware, const std::string& map) {
  const Hardware found = find_hardware(hardware);
  Plan plan;
  plan.mesh = mesh;
  plan.hardware = found.name;
  plan.slice = found.slice;
  if (!map.empty()) plan.mapping = parse_mapping(map, mesh, found, plan.cost.topology);
  return plan;
}

TEST(Setting, SaysWhereAMeshLies) {
  const Plan plan = plan_on(Mesh{{"X", 4}, {"Y", 4}, {"Z", 1}}, "v5e:4x4", "X=1,Y=0");
  EXPECT_EQ(setting_sentence(setting_of(plan)), "mesh X=4,Y=4,Z=1 on v5e:4x4 with --map X=1,Y=0, model exact");
  EXPECT_EQ(setting_json(setting_of(plan)).dump(),
            R"({"mesh":"X=4,Y=4,Z=1","hardware":"v5e","model":"exact","slice":[4,4],"map":"X=1,Y=0"})");
}

TEST(Setting, LeavesOutWhatThereIsNot) {
  Plan plan = plan_on(Mesh{{"X", 4}}, "v5e", "");
  plan.cost = *find_cost_model("book");
  EXPECT_EQ(setting_sentence(setting_of(plan)), "mesh X=4 on v5e, model book");
  EXPECT_EQ(setting_json(setting_of(plan)).dump(), R"({"mesh":"X=4","hardware":"v5e","model":"book"})");
  plan.mesh = {};
  EXPECT_EQ(setting_sentence(setting_of(plan)), "mesh of one device on v5e, model book");
}

TEST(Setting, LeavesOutAMapOntoOneAxis) {
  const Mesh mesh{{"X", 4}, {"Y", 2}, {"Z", 2}};
  EXPECT_EQ(setting_sentence(setting_of(plan_on(Mesh{{"X", 4}, {"Y", 2}}, "h100:8", "X=1,Y=1"))),
            "mesh X=4,Y=2 on h100:8, model exact");
  EXPECT_EQ(setting_sentence(setting_of(plan_on(mesh, "h100:2x8", "X=1,Y=1,Z=0"))),
            "mesh X=4,Y=2,Z=2 on h100:2x8 with --map X=1,Y=1,Z=0, model exact");
}

TEST(Setting, NamesWhatDiffersFromAModel) {
  Plan plan = plan_on(Mesh{{"X", 16}}, "v5e:4x4", "X=ring(0+1)");
  plan.cost.both_ways = false;
  EXPECT_EQ(setting_sentence(setting_of(plan)), "mesh X=16 on v5e:4x4 with --map X=ring(0+1), model exact, one way");
}

}  // namespace
}  // namespace meshmul
