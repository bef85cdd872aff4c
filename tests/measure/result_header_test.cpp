// What files of results begin with.

#include "measure/result_header.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshmul::measure {
namespace {

TEST(ResultHeader, CommandsNameNoPath) {
  const std::vector<std::string> words{"/home/somebody/build/bin/meshmul",   "bench",  "mlp", "/tmp/secret/net.mm",
                                       "--hardware=/home/somebody/own.toml", "--mesh", "X=2"};
  EXPECT_EQ(command_text(words), "meshmul bench mlp net.mm --hardware=own.toml --mesh X=2");
}

TEST(ResultHeader, CommandsCanBeGivenToAShell) {
  const std::vector<std::string> words{"meshmul", "A[I_X] + B[I_X] -> C[I_X]", ""};
  EXPECT_EQ(command_text(words), "meshmul 'A[I_X] + B[I_X] -> C[I_X]' ''");
}

TEST(ResultHeader, SaysHowItWasMeasured) {
  const auto header = result_header({.statistic = "medians", .warm_up = "one round", .pairs = 31, .on_gpu = false});
  EXPECT_EQ(header["date"].get<std::string>().size(), std::string("2026-01-01").size());
  EXPECT_EQ(header["command"].get<std::string>().find('/'), std::string::npos);
  EXPECT_EQ(header["statistic"], "medians");
  EXPECT_EQ(header["warm_up"], "one round");
  EXPECT_EQ(header["pairs"], 31);
  EXPECT_FALSE(header.contains("gpu"));
}

}  // namespace
}  // namespace meshmul::measure
