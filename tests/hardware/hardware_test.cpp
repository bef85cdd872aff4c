#include "meshmul/hardware.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using testing::message_of;

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

/// The tables of the book: part 2 for TPUs, part 12 for GPUs.
struct Published {
  std::string name;
  double bf16, i8, memory_bytes, memory_bytes_per_second, link_bytes_per_second;
  double beyond_bytes_per_second;  ///< TPU: DCN of a chip; GPU: egress of a node
  std::int64_t devices_per_node;   ///< 0 for a torus
};

TEST(Hardware, PublishedFiguresOfEveryChip) {
  const std::vector<Published> chips = {
      {"v3", 1.4e14, 1.4e14, 32e9, 9.0e11, 1.0e11, 6.25e9, 0},
      {"v4p", 2.75e14, 2.75e14, 32e9, 1.2e12, 4.5e10, 6.25e9, 0},
      {"v5p", 4.59e14, 9.18e14, 96e9, 2.8e12, 9.0e10, 6.25e9, 0},
      {"v5e", 1.97e14, 3.94e14, 16e9, 8.2e11, 4.5e10, 3.125e9, 0},
      {"v6e", 9.20e14, 1.84e15, 32e9, 1.6e12, 9.0e10, 1.25e10, 0},
      {"tpu7x", 2.30e15, 4.61e15, 192e9, 7.4e12, 9.0e10, 1.25e10, 0},
      {"a100", 3.1e14, 6.2e14, 80e9, 2.0e12, 3.0e11, 2.0e11, 8},
      {"h100", 9.9e14, 1.98e15, 80e9, 3.35e12, 4.5e11, 4.0e11, 8},
      {"h200", 9.9e14, 1.98e15, 141e9, 4.8e12, 4.5e11, 4.0e11, 8},
      {"b200", 2.25e15, 4.5e15, 192e9, 8.0e12, 9.0e11, 4.0e11, 8},
      {"gb200", 2.25e15, 4.5e15, 192e9, 8.0e12, 9.0e11, 3.6e12, 72},
  };
  for (const Published& chip : chips) {
    SCOPED_TRACE(chip.name);
    const Hardware hardware = find_hardware(chip.name);
    EXPECT_EQ(flops_per_second(hardware, Dtype::kBf16), chip.bf16);
    EXPECT_EQ(flops_per_second(hardware, Dtype::kI8), chip.i8);
    EXPECT_EQ(hardware.chip.memory_bytes, static_cast<std::int64_t>(chip.memory_bytes));
    EXPECT_EQ(hardware.chip.memory_bytes_per_second, chip.memory_bytes_per_second);
    EXPECT_EQ(hardware.network.link_bytes_per_second, chip.link_bytes_per_second);
    const auto& nodes = hardware.network.nodes;
    EXPECT_EQ(nodes ? nodes->devices_per_node : 0, chip.devices_per_node);
    EXPECT_EQ(nodes ? nodes->bytes_per_second : hardware.network.dcn_bytes_per_second, chip.beyond_bytes_per_second);
    EXPECT_EQ(hardware.chip.efficiency, nodes ? 0.82 : 0.95);
  }
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
