#include "meshmul/hardware.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Hardware, EveryProfileLoadsUnderItsOwnName) {
  EXPECT_THAT(hardware_names(),
              ElementsAre("a100", "b200", "cpu", "gb200", "h100", "h200", "tpu7x", "v3", "v4p", "v5e", "v5p", "v6e"));
  for (const std::string& name : hardware_names()) EXPECT_EQ(find_hardware(name).name, name);
}

TEST(Hardware, PublishedFiguresOfV5e) {
  const Hardware v5e = find_hardware("v5e");
  EXPECT_EQ(v5e.network.kind, NetworkKind::kTorus);
  EXPECT_EQ(v5e.network.link_bytes_per_second, 4.5e10);
  EXPECT_EQ(v5e.network.hop_seconds, 1e-6);
  EXPECT_EQ(v5e.chip.memory_bytes, 16'000'000'000);
  EXPECT_EQ(flops_per_second(v5e, Dtype::kBf16), 1.97e14);
}

TEST(Hardware, ADtypeWithoutARateHasThatOfTheNextWiderOne) {
  const Hardware v5e = find_hardware("v5e");
  EXPECT_EQ(flops_per_second(v5e, Dtype::kF8e4m3), flops_per_second(v5e, Dtype::kBf16));
  EXPECT_EQ(flops_per_second(v5e, Dtype::kF16), flops_per_second(v5e, Dtype::kF32));
  EXPECT_EQ(flops_per_second(find_hardware("cpu"), Dtype::kI8), 1e11);
  EXPECT_EQ(message_of([&] { flops_per_second(v5e, Dtype::kF64); }), "hardware v5e gives no rate for products of f64");
}

TEST(Hardware, ASliceFixesTheNumberOfDevices) {
  const Hardware slice = find_hardware("v5e:4x4");
  EXPECT_THAT(slice.slice, ElementsAre(4, 4));
  EXPECT_NO_THROW(check_fits({{"X", 16}}, slice));
  EXPECT_EQ(message_of([&] { check_fits({{"X", 4}, {"Y", 2}}, slice); }),
            "the mesh X=4,Y=2 has 8 devices; expected 16, as the slice 4x4 of v5e has");
}

TEST(Hardware, ASliceOfAProgramIsCheckedToo) {
  Hardware hardware = find_hardware("v5e");
  hardware.slice = {3, 5};
  EXPECT_EQ(message_of([&] { check_fits({{"X", 15}}, hardware); }),
            "v5e comes in no slice 3x5; the nearest are 4x4 and 2x4");
  hardware = find_hardware("h100");
  hardware.slice = {-1, 8};
  EXPECT_EQ(message_of([&] { check_fits({{"X", 8}}, hardware); }), "h100 comes in no slice -1x8; the nearest is 2x8");
}

TEST(Hardware, AMeshIsNoLargerThanTheLargestSlice) {
  EXPECT_NO_THROW(check_fits({{"X", 256}}, find_hardware("v5e")));
  EXPECT_NO_THROW(check_fits({{"X", 64}}, find_hardware("cpu")));
  EXPECT_NO_THROW(check_fits({{"X", 800}}, find_hardware("h100")));
  EXPECT_EQ(message_of([] { check_fits({{"X", 512}}, find_hardware("v5e")); }),
            "the mesh X=512 has 512 devices; expected at most 256, the largest slice of v5e (16x16)");
}

TEST(Hardware, RatesMustBePositive) {
  Hardware nothing;
  nothing.name = "nothing";
  EXPECT_EQ(message_of([&] { check_fits({{"X", 2}}, nothing); }),
            "hardware nothing has no positive rates of links, hops and memory");
}

TEST(Hardware, WrongNamesAreAnsweredWithTheNearest) {
  EXPECT_EQ(
      message_of([] { find_hardware("v9"); }),
      "there is no hardware profile 'v9'; expected one of a100, b200, cpu, gb200, h100, h200, tpu7x, v3, v4p, v5e, "
      "v5p, v6e, or the path of a .toml file; did you mean v3?");
  EXPECT_EQ(message_of([] { find_hardware("h10:8"); }),
            "there is no hardware profile 'h10'; expected one of a100, b200, cpu, gb200, h100, h200, tpu7x, v3, v4p, "
            "v5e, v5p, v6e, or the path of a .toml file; did you mean h100?");
}

}  // namespace
}  // namespace meshmul
