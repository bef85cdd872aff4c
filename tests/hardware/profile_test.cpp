#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "meshmul/error.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

constexpr std::string_view kProfile = R"(name = "toy"
[chip]
memory_bytes_per_second = 2e9
[chip.flops_per_second]
f32 = 1e9
[network]
kind = "torus"
link_bytes_per_second = 1e6
hop_seconds = 0.5
)";

std::string with(std::string_view found, std::string_view replacement) {
  std::string text(kProfile);
  text.replace(text.find(found), found.size(), replacement);
  return text;
}

std::string message_of(const std::string& toml_text) {
  try {
    load_hardware(toml_text, "toy.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

TEST(Profile, WhatMayBeLeftOutIsLeftOut) {
  const Hardware toy = load_hardware(kProfile, "toy.toml");
  EXPECT_EQ(toy.name, "toy");
  EXPECT_EQ(toy.network.hop_seconds, 0.5);
  EXPECT_FALSE(toy.chip.memory_bytes);
  EXPECT_TRUE(toy.network.slices.largest.empty());
}

TEST(Profile, AFileOfTheUsersIsFoundByItsPath) {
  const auto path = std::filesystem::path(testing::TempDir()) / "meshmul_profile_test.toml";
  std::ofstream(path) << kProfile;
  EXPECT_EQ(find_hardware(path.string()).name, "toy");
  std::filesystem::remove(path);
}

TEST(Profile, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(message_of(with("\"torus\"", "\"ring\"")),
            "toy.toml:7: network.kind is \"ring\"; expected \"torus\" or \"switch\"");
  EXPECT_EQ(message_of(with("1e6", "-1e6")),
            "toy.toml:8: network.link_bytes_per_second is -1000000.0; expected a positive number");
  EXPECT_EQ(message_of(with("0.5", "\"fast\"")),
            "toy.toml:9: network.hop_seconds is 'fast'; expected a positive number");
  EXPECT_EQ(
      message_of(with("f32 =", "f99 =")),
      "toy.toml:5: chip.flops_per_second.f99 is not the rate of a dtype; expected f64, f32, bf16, f16, f8e4m3, i8 "
      "or i32");
  EXPECT_EQ(message_of(with("hop_seconds", "hops")),
            "toy.toml:9: network.hops is not known; expected one of kind, link_bytes_per_second, hop_seconds, "
            "largest_slice");
  EXPECT_EQ(message_of(with("hop_seconds = 0.5", "")),
            "toy.toml:6: network.hop_seconds is missing; expected a positive number");
  EXPECT_EQ(
      message_of(with("hop_seconds = 0.5", "hop_seconds = 1\nlargest_slice = [4, 0]")),
      "toy.toml:10: network.slices.largest is 0; expected a list of whole numbers of at least 1, such as [16, 16]");
}

TEST(Profile, WhatIsNotTomlIsSaidSo) {
  EXPECT_THAT(message_of("name = \n"), testing::StartsWith("toy.toml:1: "));
  EXPECT_THAT(message_of("name = \n"), testing::EndsWith("; expected TOML"));
}

}  // namespace
}  // namespace meshmul
