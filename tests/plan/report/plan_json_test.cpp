#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "meshmul/plan.hpp"

namespace meshmul {
namespace {

nlohmann::json planned(const std::string& statement, const Mesh& mesh) {
  return nlohmann::json::parse(plan_json(plan(parse_statement(statement, mesh), mesh, find_hardware("v5e"))));
}

TEST(PlanJson, HoldsEveryStepWithItsNumbers) {
  const Mesh mesh{{"X", 4}};
  const auto json = planned("bf16 A[I=8, J=4096_X] * B[J_X, K=4096] -> C[I, K_X]", mesh);
  EXPECT_EQ(json["statement"], "bf16 A[I=8, J=4096_X] * bf16 B[J=4096_X, K=4096] -> bf16 C[I=8, K=4096_X]");
  EXPECT_EQ(json["mesh"], "X=4");
  EXPECT_EQ(json["hardware"], "v5e");
  EXPECT_EQ(json["model"], "exact");
  EXPECT_EQ(json["slice"], nlohmann::json({2, 2}));
  EXPECT_EQ(json["map"], "X=0+1");
  ASSERT_EQ(json["steps"].size(), 2);
  EXPECT_EQ(json["steps"][0]["step"], "local product");
  EXPECT_EQ(json["steps"][0]["flops"], 2.0 * 8 * 1024 * 4096);
  EXPECT_EQ(json["steps"][1]["step"], "ReduceScatter");
  EXPECT_EQ(json["steps"][1]["operand"], "C");
  EXPECT_EQ(json["steps"][1]["axes"], nlohmann::json({"X"}));
  EXPECT_EQ(json["steps"][1]["to"], "bf16 C[I=8, K=4096_X]");
  EXPECT_GT(json["seconds_sequential"], json["seconds_overlapped"]);
  EXPECT_EQ(json["product_seconds"], json["steps"][0]["seconds"]);
  EXPECT_EQ(json["move_seconds"], json["steps"][1]["seconds"]);
  EXPECT_EQ(json["flops"], json["steps"][0]["flops"]);
  EXPECT_EQ(json["on_chip"]["available_bytes"], 134217728);
  EXPECT_EQ(json["on_chip"]["fits"], true);
  EXPECT_FALSE(json["cases"].empty());
  EXPECT_FALSE(json["rejected"].empty());
  EXPECT_NE(json["rejected"][0]["reason"], "");
}

TEST(PlanJson, HasNoLosersWhereThereIsOneWay) {
  const auto json = planned("A[I=8] -> A[I]", Mesh{});
  EXPECT_EQ(json["rejected"], nlohmann::json::array());
  EXPECT_EQ(json["mesh"], "");
}

}  // namespace
}  // namespace meshmul
