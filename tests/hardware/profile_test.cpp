#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "meshmul/error.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

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
  EXPECT_THAT(find_hardware(path.string() + ":2x3").slice, ElementsAre(2, 3));
  std::filesystem::remove(path);
}

TEST(Profile, EveryFieldIsRead) {
  const Hardware torus = load_hardware(R"(name = "torus"
[chip]
flops_per_second = { f32 = 1e9, i8 = 4e9 }
efficiency = 0.5
memory_bytes = 1e9
memory_bytes_per_second = 2e9
on_chip_bytes = 1048576
on_chip_bytes_per_second = 2e10
cores = 2
matrix_unit = 128
copy_engines = 3
[network]
kind = "torus"
link_bytes_per_second = 1e6
hop_seconds = 0.5
full_duplex = false
dcn_bytes_per_second = 1e3
wrap = { rule = "whole_cubes", size = 4 }
slices = { sizes = [[1, 2], [2, 2]], multiple = 4, largest = [8, 16] }
[[network.measured]]
collective = "AllGather"
bytes = [1, 1e3]
bytes_per_second = [10, 20]
[[network.measured]]
collective = "AllToAll"
bytes = [5]
bytes_per_second = [6]
)",
                                       "torus.toml");
  EXPECT_EQ(torus.chip.flops_per_second, (std::map<Dtype, double>{{Dtype::kF32, 1e9}, {Dtype::kI8, 4e9}}));
  EXPECT_EQ(torus.chip.efficiency, 0.5);
  EXPECT_EQ(torus.chip.memory_bytes, 1'000'000'000);
  EXPECT_EQ(torus.chip.memory_bytes_per_second, 2e9);
  EXPECT_EQ(torus.chip.on_chip_bytes, 1 << 20);
  EXPECT_EQ(torus.chip.on_chip_bytes_per_second, 2e10);
  EXPECT_EQ(torus.chip.cores, 2);
  EXPECT_EQ(torus.chip.matrix_unit, 128);
  EXPECT_EQ(torus.chip.copy_engines, 3);
  EXPECT_EQ(torus.network.kind, NetworkKind::kTorus);
  EXPECT_EQ(torus.network.link_bytes_per_second, 1e6);
  EXPECT_FALSE(torus.network.full_duplex);
  EXPECT_EQ(torus.network.dcn_bytes_per_second, 1e3);
  EXPECT_EQ(torus.network.wrap.kind, WrapRule::Kind::kWholeCubes);
  EXPECT_EQ(torus.network.wrap.size, 4);
  EXPECT_THAT(torus.network.slices.sizes, ElementsAre(ElementsAre(1, 2), ElementsAre(2, 2)));
  EXPECT_EQ(torus.network.slices.multiple, 4);
  EXPECT_THAT(torus.network.slices.largest, ElementsAre(8, 16));
  ASSERT_EQ(torus.network.measured.size(), 2U);
  EXPECT_EQ(torus.network.measured[0].collective, "AllGather");
  EXPECT_THAT(torus.network.measured[0].bytes, ElementsAre(1, 1000));
  EXPECT_THAT(torus.network.measured[1].bytes_per_second, ElementsAre(6));
}

TEST(Profile, TheFieldsOfASwitchAreRead) {
  const Hardware nodes = load_hardware(with("\"torus\"", R"("switch"
reduces = true
nodes = { devices_per_node = 8, bytes_per_second = 4e5, hop_seconds = 2 }
slices = { largest = [64] })"),
                                       "nodes.toml");
  EXPECT_EQ(nodes.network.kind, NetworkKind::kSwitch);
  EXPECT_TRUE(nodes.network.reduces);
  ASSERT_TRUE(nodes.network.nodes);
  EXPECT_EQ(nodes.network.nodes->devices_per_node, 8);
  EXPECT_EQ(nodes.network.nodes->bytes_per_second, 4e5);
  EXPECT_EQ(nodes.network.nodes->hop_seconds, 2);
  EXPECT_THAT(nodes.network.slices.largest, ElementsAre(64));
}

/// What replaces `hop_seconds = 0.5`, the last line of the profile, and the message without the name of the file.
struct Wrong {
  std::string replaced, by, message;
};

TEST(Profile, WhatIsWrongIsNamedWithItsLine) {
  const std::string hop = "hop_seconds = 0.5";
  const std::vector<Wrong> cases = {
      {"\"toy\"", "\"\"", "1: name is \"\"; expected a text"},
      {"\"toy\"", "3", "1: name is 3; expected a text"},
      {"\"toy\"", "\"to\\u001by\"", "1: name is a text with control characters; expected one without"},
      {"[chip]", "colour = 1\n[chip]", "2: colour is not known; expected one of name, chip, network, host"},
      {"[network]", "[netwrk]",
       "6: netwrk is not known; expected one of name, chip, network, host; did you mean network?"},
      {"[network]\n", "[network.x]\n",
       "6: network.x is not known; expected one of kind, link_bytes_per_second, hop_seconds, "
       "full_duplex, wrap, slices, nodes, reduces, shared_memory, dcn_bytes_per_second, measured"},
      {"f32 =", "f99 =",
       "5: chip.flops_per_second.f99 is not the rate of a dtype; expected f64, f32, bf16, f16, f8e4m3, "
       "i8 or i32"},
      {"f32 = 1e9", "", "4: chip.flops_per_second is empty; expected the rate of a dtype, such as bf16 = 1e12"},
      {"f32 = 1e9", "f32 = 1e-300",
       "5: chip.flops_per_second.f32 is 1e-300; expected a number from 1 to 1e24, per second"},
      {"[chip.flops", "cores = 1.5\n[chip.flops", "4: chip.cores is 1.5; expected a whole number from 1 to 1048576"},
      {"[chip.flops", "matrix_unit = 0\n[chip.flops",
       "4: chip.matrix_unit is 0; expected a whole number from 1 to 1048576"},
      {"[chip.flops", "efficiency = 1.1\n[chip.flops", "4: chip.efficiency is 1.1; expected a share from 0.001 to 1"},
      {"[chip.flops", "memory_bytes = inf\n[chip.flops",
       "4: chip.memory_bytes is inf; expected a whole number of bytes from 1 to 1e18"},
      {"[chip.flops", "memory_bytes = nan\n[chip.flops",
       "4: chip.memory_bytes is nan; expected a whole number of bytes from 1 to 1e18"},
      {"[chip.flops", "on_chip_bytes_per_second = 1e9\n[chip.flops",
       "4: chip.on_chip_bytes_per_second is 1000000000; expected `on_chip_bytes` with it"},
      {"\"torus\"", "\"ring\"", "7: network.kind is \"ring\"; expected \"torus\" or \"switch\""},
      {"1e6", "-1e6", "8: network.link_bytes_per_second is -1000000; expected a number from 1 to 1e24, per second"},
      {"1e6", "true", "8: network.link_bytes_per_second is true; expected a number from 1 to 1e24, per second"},
      {"0.5", "\"fast\"", "9: network.hop_seconds is \"fast\"; expected a number of seconds from 1e-12 to 1000"},
      {"0.5", "0", "9: network.hop_seconds is 0; expected a number of seconds from 1e-12 to 1000"},
      {hop, "", "6: network.hop_seconds is missing; expected a number of seconds from 1e-12 to 1000"},
      {hop, hop + "\nfull_duplex = 1", "10: network.full_duplex is 1; expected true or false"},
      {hop, hop + "\nwrap = 16", "10: network.wrap is 16; expected a table"},
      {hop, hop + "\n[network.wrap]\nrule = \"twice\"",
       "11: network.wrap.rule is \"twice\"; expected \"all\", \"none\", \"length\" or \"whole_cubes\""},
      {hop, hop + "\n[network.wrap]\nrule = \"length\"",
       "10: network.wrap.size is missing; expected a whole number from 1 to 1048576"},
      {hop, hop + "\n[network.wrap]\nrule = \"all\"\nsize = 4",
       "12: network.wrap.size is 4; expected no size with the rule \"all\""},
      {hop, hop + "\n[network.slices]\nlargest = [4, 0]",
       "11: network.slices.largest is 0; expected a list of whole numbers from 1 to 1048576, such as [16, 16]"},
      {hop, hop + "\n[network.slices]\nlargest = [1048576, 2]",
       "11: network.slices.largest is [ 1048576, 2 ]; expected at most 1048576 devices in all"},
      {hop, hop + "\n[network.slices]\nsizes = [4, 4]",
       "11: network.slices.sizes is 4; expected a list of whole numbers from 1 to 1048576, such as [16, 16]"},
      {hop, hop + "\n[network.slices]\nsizes = [[4, 2]]",
       "11: network.slices.sizes is [ [ 4, 2 ] ]; expected each slice in ascending order"},
      {hop, hop + "\n[network.slices]\nsizes = [[2, 4], [2]]",
       "11: network.slices.sizes is [ [ 2, 4 ], [ 2 ] ]; expected as many axes in each slice, and in `largest`"},
      {hop, hop + "\n[network.slices]\nmultiple = 4", "11: network.slices.multiple is 4; expected `largest` with it"},
      {hop, hop + "\n[network.slices]\nmultiple = 4\nlargest = [2, 8]",
       "12: network.slices.largest is [ 2, 8 ]; expected at least 4, the `multiple`"},
      {hop, hop + "\nreduces = true", "10: network.reduces is set; expected no reduces for a torus"},
      {hop, hop + "\n[network.nodes]\ndevices_per_node = 8", "10: network.nodes is set; expected no nodes for a torus"},
      {"\"torus\"", "\"switch\"\nwrap = { rule = \"all\" }", "8: network.wrap is set; expected no wrap for a switch"},
      {"\"torus\"", "\"switch\"\nslices = { largest = [4, 8] }",
       "8: network.slices.largest is [ 4, 8 ]; expected one number for a switch: its devices in all"},
      {"\"torus\"", "\"switch\"\nslices = { multiple = 4 }",
       "8: network.slices.multiple is not known; expected one of largest"},
      {"\"torus\"", "\"switch\"\nnodes = { devices_per_node = 8 }",
       "8: network.nodes.bytes_per_second is missing; expected a number from 1 to 1e24, per second"},
      {hop, hop + "\nmeasured = 3", "10: network.measured is 3; expected a list of tables"},
      {hop, hop + "\n[[network.measured]]\ncollective = \"Gather\"\nbytes = [1]\nbytes_per_second = [1]",
       "11: network.measured.collective is \"Gather\"; expected AllGather, ReduceScatter, AllReduce, AllToAll, Permute "
       "or "
       "Redistribute"},
      {hop, hop + "\n[[network.measured]]\ncollective = \"AllGather\"\nbytes = [2, 2]\nbytes_per_second = [1, 1]",
       "12: network.measured.bytes is [ 2, 2 ]; expected rising numbers"},
      {hop, hop + "\n[[network.measured]]\ncollective = \"AllGather\"\nbytes = [1, 2]\nbytes_per_second = [1]",
       "13: network.measured.bytes_per_second is [ 1 ]; expected 2 numbers, one for each of `bytes`"},
  };
  for (const Wrong& wrong : cases)
    EXPECT_EQ(message_of(with(wrong.replaced, wrong.by)), "toy.toml:" + wrong.message) << wrong.by;
}

TEST(Profile, AFileThatCannotBeReadSaysWhy) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      find_hardware(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const std::filesystem::path folder(testing::TempDir());
  EXPECT_EQ(message("no/such/file.toml"),
            "the hardware profile no/such/file.toml cannot be read: No such file or directory");
  const std::filesystem::path directory = folder / "meshmul_directory.toml", empty = folder / "meshmul_empty.toml";
  std::filesystem::create_directory(directory);
  EXPECT_EQ(message(directory.string()),
            "the hardware profile " + directory.string() + " cannot be read: it is a directory");
  std::ofstream(empty).close();
  EXPECT_EQ(message(empty.string()), "the hardware profile " + empty.string() + " cannot be read: it is empty");
  std::filesystem::remove(directory);
  std::filesystem::remove(empty);
}

TEST(Profile, WhatIsNotTomlIsSaidSo) {
  EXPECT_THAT(message_of("name = \n"), testing::StartsWith("toy.toml:1: "));
  EXPECT_THAT(message_of("name = \n"), testing::EndsWith("; expected TOML"));
}

TEST(Profile, KeysOfManyPartsAreRefusedBeforeTheyAreRead) {
  std::string key = "chip";
  for (int i = 0; i < 200'000; ++i) key += ".a";
  const std::string refusal = "toy.toml:10: has more than 100 dots; expected keys of few parts";
  EXPECT_EQ(message_of(std::string(kProfile) + key + " = 1\n"), refusal);
  EXPECT_EQ(message_of(std::string(kProfile) + "[" + key + "]"), refusal);
  EXPECT_EQ(load_hardware("  # " + key + "\n" + std::string(kProfile), "toy.toml").name, "toy");
}

}  // namespace
}  // namespace meshmul
