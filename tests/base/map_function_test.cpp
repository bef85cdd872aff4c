#include "meshmul/map_function.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

TEST(MapFunction, EveryNameParsesBackToItself) {
  for (const MapFunction function : kAllMapFunctions) EXPECT_EQ(parse_map_function(name(function)), function);
}

TEST(MapFunction, NamesAreExact) {
  EXPECT_EQ(parse_map_function("gelu_tanh"), MapFunction::kGeluTanh);
  EXPECT_EQ(parse_map_function("GELU"), std::nullopt);
  EXPECT_EQ(parse_map_function(""), std::nullopt);
}

TEST(MapFunction, ReadsAsManyArraysAsItsFormulaHasLetters) {
  EXPECT_EQ(num_sources(MapFunction::kZero), 0);
  EXPECT_EQ(num_sources(MapFunction::kOne), 0);
  EXPECT_EQ(num_sources(MapFunction::kGelu), 1);
  EXPECT_EQ(num_sources(MapFunction::kGeluGrad), 2);
  EXPECT_EQ(num_sources(MapFunction::kConvert), 1);
  EXPECT_EQ(num_sources(MapFunction::kAdd), 2);
  EXPECT_EQ(num_sources(MapFunction::kScale), 2);
}

TEST(MapFunction, GradientsAreThoseOfNonlinearFunctionsOfOneArray) {
  for (const MapFunction function : kAllMapFunctions) {
    const auto gradient = gradient_of(function);
    EXPECT_EQ(gradient.has_value(), parse_map_function(std::string(name(function)) + "_grad").has_value());
    if (gradient) {
      EXPECT_EQ(name(*gradient), std::string(name(function)) + "_grad");
    }
  }
}

}  // namespace
}  // namespace meshmul
