#include <gmock/gmock.h>

#include <string>

#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

TEST(ProfileText, EveryProfileIsReadBackToTheSame) {
  for (const std::string& name : hardware_names()) {
    const Hardware hardware = find_hardware(name);
    EXPECT_EQ(load_hardware(to_toml(hardware), name), hardware) << to_toml(hardware);
  }
}

TEST(ProfileText, AHostIsReadBackToTheSame) {
  Hardware hardware = find_hardware("cpu");
  hardware.name = "a \"quoted\" \\ name";
  Host host;
  host.cores = 3;
  host.op_seconds = 1.0 / 3 * 1e-8;
  host.notice_seconds = 2e-7;
  host.wake_seconds = 3e-5;
  host.sleep_after_seconds = 1e-4;
  host.runs = {{1e3, 1e6}, {5e-8, 1.0 / 7 * 1e-7}};
  host.copies = {{1e3, 1e6}, {4e10, 1e10 / 3}, {3e10, 1e9}};
  host.gets = host.reductions = host.sums = host.maps = {{1e3}, {2e10}, {}};
  host.streams = {1 << 24, host.copies, host.gets, host.sums};
  host.products = {{Dtype::kF32, {1, 2}, {3}, {4, 5}, {1e-9, 2e-9, 1.0 / 7, 4e-9}},
                   {Dtype::kBf16, {1}, {1}, {1}, {1e-3}}};
  hardware.host = host;
  EXPECT_EQ(load_hardware(to_toml(hardware, "two lines\nof comment"), "mine.toml"), hardware) << to_toml(hardware);
}

TEST(ProfileText, TheCommentStandsInFrontLineByLine) {
  EXPECT_EQ(to_toml(find_hardware("cpu"), "two lines\nof comment").substr(0, 40),
            "# two lines\n# of comment\nname = \"cpu\"\n\n[");
}

}  // namespace
}  // namespace meshmul
