#include "hardware/slices.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string message_of(const std::string& name) {
  try {
    find_hardware(name);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

/// `-` for a line, `o` for a ring, by axis of the slice.
std::string wraps_of(const std::string& name) {
  const Hardware hardware = find_hardware(name);
  std::string text;
  for (int axis = 0; axis < static_cast<int>(hardware.slice.size()); ++axis)
    text += wraps(hardware, hardware.slice, axis) ? 'o' : '-';
  return text;
}

TEST(Slices, EveryListedSliceWrapsByTheRuleOfItsChip) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"v5e:1x1", "--"},      {"v5e:2x2", "--"},        {"v5e:2x4", "--"},       {"v5e:4x4", "--"},
      {"v5e:4x8", "--"},      {"v5e:8x8", "--"},        {"v5e:8x16", "-o"},      {"v5e:16x8", "o-"},
      {"v5e:16x16", "oo"},    {"v6e:1x1", "--"},        {"v6e:2x2", "--"},       {"v6e:2x4", "--"},
      {"v6e:4x4", "--"},      {"v6e:4x8", "--"},        {"v6e:8x8", "--"},       {"v6e:8x16", "-o"},
      {"v6e:16x16", "oo"},    {"v4p:2x2x1", "---"},     {"v4p:2x2x2", "---"},    {"v4p:2x2x4", "---"},
      {"v4p:2x4x4", "---"},   {"v4p:4x4x4", "ooo"},     {"v4p:4x8x12", "ooo"},   {"v4p:16x16x16", "ooo"},
      {"v5p:1x2x2", "---"},   {"v5p:2x2x2", "---"},     {"v5p:4x2x2", "---"},    {"v5p:4x4x2", "---"},
      {"v5p:4x4x4", "ooo"},   {"v5p:4x4x8", "ooo"},     {"v5p:28x20x16", "ooo"}, {"tpu7x:2x4x4", "---"},
      {"tpu7x:8x8x8", "ooo"}, {"tpu7x:4x4x576", "ooo"}, {"v3:4x8", "--"},        {"v3:16x32", "-o"},
      {"v3:32x32", "oo"},     {"h100:4x8", "--"},       {"cpu:4", "-"},
  };
  for (const auto& [name, expected] : cases) EXPECT_EQ(wraps_of(name), expected) << name;
}

TEST(Slices, ThoseWithSoManyDevices) {
  EXPECT_THAT(slices_with(find_hardware("v5e"), 1), ElementsAre(Slice{1, 1}));
  EXPECT_THAT(slices_with(find_hardware("v5e"), 16), ElementsAre(Slice{4, 4}));
  EXPECT_THAT(slices_with(find_hardware("v5e"), 12), IsEmpty());
  EXPECT_THAT(slices_with(find_hardware("v5p"), 16), ElementsAre(Slice{2, 2, 4}));
  EXPECT_THAT(slices_with(find_hardware("v5p"), 64), ElementsAre(Slice{4, 4, 4}));
  EXPECT_THAT(slices_with(find_hardware("v5p"), 256), ElementsAre(Slice{4, 4, 16}, Slice{4, 8, 8}));
  EXPECT_THAT(slices_with(find_hardware("v5p"), 8960), ElementsAre(Slice{16, 20, 28}));
  EXPECT_THAT(slices_with(find_hardware("tpu7x"), 9216), ElementsAre(Slice{4, 4, 576}, Slice{16, 24, 24}));
  EXPECT_THAT(slices_with(find_hardware("v3"), 24), ElementsAre(Slice{1, 24}, Slice{2, 12}, Slice{3, 8}, Slice{4, 6}));
  EXPECT_THAT(slices_with(find_hardware("h100"), 6), ElementsAre(Slice{6}));
  EXPECT_THAT(slices_with(find_hardware("h100"), 32), ElementsAre(Slice{4, 8}));
  EXPECT_THAT(slices_with(find_hardware("h100"), 12), IsEmpty());
  EXPECT_THAT(slices_with(find_hardware("gb200"), 144), ElementsAre(Slice{2, 72}));
  EXPECT_THAT(slices_with(find_hardware("cpu"), 7), ElementsAre(Slice{7}));
}

TEST(Slices, EverySliceWithSoManyDevicesExistsInEveryOrder) {
  for (const std::string& name : hardware_names()) {
    const Hardware hardware = find_hardware(name);
    for (std::int64_t devices = 1; devices <= 600; ++devices)
      for (Slice slice : slices_with(hardware, devices)) {
        EXPECT_EQ(num_devices(slice), devices) << name;
        if (hardware.network.kind == NetworkKind::kSwitch)
          EXPECT_TRUE(exists(hardware, slice)) << name << ' ' << slice_text(slice);
        else
          do EXPECT_TRUE(exists(hardware, slice)) << name << ' ' << slice_text(slice);
          while (std::next_permutation(slice.begin(), slice.end()));
      }
  }
}

TEST(Slices, ASliceThatTheChipDoesNotComeInIsRefusedWithTheNearest) {
  EXPECT_EQ(message_of("v5e:3x5"), "v5e comes in no slice 3x5; the nearest are 4x4 and 2x4");
  EXPECT_EQ(message_of("v5e:32x4"), "v5e comes in no slice 32x4; the nearest are 8x16, 8x8 and 16x16");
  EXPECT_EQ(message_of("v5e:4x4x4"), "v5e comes in no slice 4x4x4; the nearest are 8x8, 4x8 and 8x16");
  EXPECT_EQ(message_of("v5e:16"), "v5e comes in no slice 16; the nearest are 4x4, 2x4 and 4x8");
  EXPECT_EQ(message_of("v5p:4x4x6"), "v5p comes in no slice 4x4x6; the nearest are 4x4x8 and 4x4x4");
  EXPECT_EQ(message_of("v5p:32x32x32"), "v5p comes in no slice 32x32x32; the nearest is 16x20x28");
  EXPECT_EQ(message_of("v3:64x2"), "v3 comes in no slice 64x2; the nearest is 2x32");
  EXPECT_EQ(message_of("h100:16"), "h100 comes in no slice 16; the nearest is 2x8");
  EXPECT_EQ(message_of("h100:4x16"), "h100 comes in no slice 4x16; the nearest are 8x8 and 4x8");
  EXPECT_EQ(message_of("h100:2x2x2"), "h100 comes in no slice 2x2x2; the nearest is 8");
  EXPECT_EQ(message_of("cpu:2x2"), "cpu comes in no slice 2x2; the nearest is 4");
}

TEST(Slices, WhatIsNoSliceIsSaidSo) {
  EXPECT_EQ(message_of("cpu:4xx"), "'4xx' is no slice of cpu; expected sizes such as 8, of at most 1048576 devices");
  EXPECT_EQ(message_of("v5e:"), "'' is no slice of v5e; expected sizes such as 16x16, of at most 1048576 devices");
  EXPECT_EQ(message_of("h100:0x8"),
            "'0x8' is no slice of h100; expected sizes such as 2x8, of at most 1048576 devices");
  EXPECT_EQ(message_of("h100:1048576x2"),
            "'1048576x2' is no slice of h100; expected sizes such as 2x8, of at most 1048576 devices");
  EXPECT_EQ(message_of("v5p:4x-4"),
            "'4x-4' is no slice of v5p; expected sizes such as 2x4x4, of at most 1048576 devices");
}

}  // namespace
}  // namespace meshmul
