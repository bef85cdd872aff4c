#include "draw/array_data.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "meshmul/statement.hpp"

namespace meshmul::drawing {
namespace {

using nlohmann::json;

json data_of(std::string_view array, const Mesh& mesh, const RankRange& ranks) {
  ArrayTable table(mesh);
  table.number_of(parse_array(array, mesh));
  JsonWriter writer;
  table.write(writer, ranks);
  return json::parse(writer.text()).at(0);
}

TEST(ArrayData, HasTheIntervalsOfEachDimensionAndWhichOfThemARankHas) {
  const json data = data_of("bf16 A[I=8_X, J=6_Y]", {{"X", 2}, {"Y", 2}}, {0, 3});
  EXPECT_EQ(data["name"], "A");
  EXPECT_EQ(data["text"], "bf16 A[I=8_X, J=6_Y]");
  EXPECT_EQ(data["dims"], json({"I", "J"}));
  EXPECT_EQ(data["sizes"], json({8, 6}));
  EXPECT_EQ(data["partial"], json::array());
  EXPECT_EQ(data["cuts"], json({{0, 4, 4, 8}, {0, 3, 3, 6}}));
  EXPECT_EQ(data["blocks"], json({0, 0, 0, 1, 1, 0, 1, 1}));
}

TEST(ArrayData, ReplicasHaveOneBlockAndPartialSumsTheirAxes) {
  const json data = data_of("f32 C[I=8, K=4]{U_X}", {{"X", 2}}, {0, 1});
  EXPECT_EQ(data["partial"], json({"X"}));
  EXPECT_EQ(data["cuts"], json({{0, 8}, {0, 4}}));
  EXPECT_EQ(data["blocks"], json({0, 0, 0, 0}));
}

TEST(ArrayData, UnevenBlocksKeepTheirSizes) {
  const json data = data_of("f32 A[I=9_XY]", {{"X", 2}, {"Y", 2}}, {0, 3});
  EXPECT_EQ(data["cuts"], json::parse("[[0, 3, 3, 5, 5, 7, 7, 9]]"));
}

TEST(ArrayData, OnlyTheRanksAskedForHaveBlocks) {
  EXPECT_EQ(data_of("f32 A[I=8_X]", {{"X", 4}}, {2, 3})["blocks"], json({2, 3}));
}

TEST(ArrayData, AScalarHasNoDimensions) {
  const json data = data_of("f32 A[]", {{"X", 2}}, {0, 1});
  EXPECT_EQ(data["cuts"], json::array());
  EXPECT_EQ(data["blocks"], json::array());
}

TEST(ArrayTable, HasEveryArrayOnce) {
  const Mesh mesh{{"X", 2}};
  ArrayTable table(mesh);
  EXPECT_EQ(table.number_of(parse_array("f32 A[I=8_X]", mesh)), 0);
  EXPECT_EQ(table.number_of(parse_array("f32 A[I=8]", mesh)), 1);
  EXPECT_EQ(table.number_of(parse_array("f32 A[I=8_X]", mesh)), 0);
}

}  // namespace
}  // namespace meshmul::drawing
