#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/temporary_folder.hpp"
#include "meshmul/error.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kProfile = R"(name = "mine"
[chip]
memory_bytes_per_second = 2e9
flops_per_second = { f32 = 1e9 }
[network]
kind = "switch"
link_bytes_per_second = 1e6
hop_seconds = 0.5
[host]
cores = 4
op_seconds = 1e-8
notice_seconds = 2e-7
wake_seconds = 3e-5
sleep_after_seconds = 1e-4
runs = { footprint_bytes = [1e3, 1e6], seconds = [5e-8, 1e-7] }
copies = { footprint_bytes = [1e3, 1e6], bytes_per_second = [4e10, 1e10], busy_bytes_per_second = [4e10, 8e9] }
gets = { footprint_bytes = [1e3], bytes_per_second = [25e9] }
reductions = { footprint_bytes = [1e3], bytes_per_second = [3e10] }
sums = { footprint_bytes = [1e3], bytes_per_second = [35e9] }
maps = { footprint_bytes = [1e3], bytes_per_second = [2e10] }
[host.streams]
least_bytes = 4096
copies = { footprint_bytes = [1e6], bytes_per_second = [3e9] }
gets = { footprint_bytes = [1e6], bytes_per_second = [4e9] }
sums = { footprint_bytes = [1e6], bytes_per_second = [5e9] }
[[host.products]]
dtype = "f32"
m = [1, 64]
n = [16]
k = [8, 32, 128]
seconds = [1, 2, 3, 4, 5, 6]
)";

std::string with(std::string_view found, std::string_view replacement) {
  std::string text(kProfile);
  return text.replace(text.find(found), found.size(), replacement);
}

std::string message_of(const std::string& toml_text) {
  try {
    load_hardware(toml_text, "mine.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

TEST(HostProfile, EveryFieldIsRead) {
  const Host host = load_hardware(kProfile, "mine.toml").host.value();
  EXPECT_EQ(host.cores, 4);
  EXPECT_EQ(host.op_seconds, 1e-8);
  EXPECT_EQ(host.notice_seconds, 2e-7);
  EXPECT_EQ(host.wake_seconds, 3e-5);
  EXPECT_EQ(host.sleep_after_seconds, 1e-4);
  EXPECT_THAT(host.runs.footprint_bytes, ElementsAre(1e3, 1e6));
  EXPECT_THAT(host.runs.seconds, ElementsAre(5e-8, 1e-7));
  EXPECT_THAT(host.copies.footprint_bytes, ElementsAre(1e3, 1e6));
  EXPECT_THAT(host.copies.bytes_per_second, ElementsAre(4e10, 1e10));
  EXPECT_THAT(host.copies.busy_bytes_per_second, ElementsAre(4e10, 8e9));
  EXPECT_THAT(host.gets.bytes_per_second, ElementsAre(25e9));
  EXPECT_THAT(host.reductions.bytes_per_second, ElementsAre(3e10));
  EXPECT_THAT(host.sums.bytes_per_second, ElementsAre(35e9));
  EXPECT_THAT(host.maps.bytes_per_second, ElementsAre(2e10));
  ASSERT_TRUE(host.streams);
  EXPECT_EQ(host.streams->least_bytes, 4096);
  EXPECT_THAT(host.streams->copies.bytes_per_second, ElementsAre(3e9));
  EXPECT_THAT(host.streams->gets.bytes_per_second, ElementsAre(4e9));
  EXPECT_THAT(host.streams->sums.bytes_per_second, ElementsAre(5e9));
  ASSERT_EQ(host.products.size(), 1U);
  EXPECT_EQ(host.products[0].dtype, Dtype::kF32);
  EXPECT_THAT(host.products[0].k, ElementsAre(8, 32, 128));
  EXPECT_THAT(host.products[0].seconds, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(HostProfile, WithoutTheTableThereIsNoHost) {
  const std::string text(kProfile.substr(0, kProfile.find("[host]")));
  EXPECT_FALSE(load_hardware(text, "mine.toml").host);
}

TEST(HostProfile, AHostThatWritesAllToItsCachesHasNoStreams) {
  std::string text(kProfile);
  const std::size_t begin = text.find("[host.streams]");
  text.erase(begin, text.find("[[host.products]]") - begin);
  EXPECT_FALSE(load_hardware(text, "mine.toml").host->streams);
}

TEST(HostProfile, SecondsByFootprintLieOnStraightLinesOverLogarithms) {
  const FootprintSeconds times{{1e3, 1e5}, {1e-8, 3e-8}};
  EXPECT_DOUBLE_EQ(seconds(times, 1e2), 1e-8);
  EXPECT_DOUBLE_EQ(seconds(times, 1e4), 2e-8);
  EXPECT_DOUBLE_EQ(seconds(times, 1e6), 3e-8);
}

TEST(HostProfile, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(message_of(with("cores = 4", "cores = 0")),
            "mine.toml:10: host.cores is 0; expected a whole number from 1 to 1048576");
  EXPECT_EQ(message_of(with("wake_seconds = 3e-5\n", "")),
            "mine.toml:9: host.wake_seconds is missing; expected a number of seconds from 1e-12 to 1000");
  EXPECT_EQ(message_of(with("cores = 4", "speed = 4")),
            "mine.toml:10: host.speed is not known; expected one of cores, op_seconds, notice_seconds, wake_seconds, "
            "sleep_after_seconds, runs, copies, gets, reductions, sums, maps, streams, products");
  EXPECT_EQ(message_of(with("[4e10, 8e9]", "[4e10]")),
            "mine.toml:16: host.copies.busy_bytes_per_second is [ 40000000000.0 ]; expected 2 numbers, one for each of "
            "`footprint_bytes`");
  EXPECT_THAT(message_of(with("[1e3, 1e6]", "[1e6, 1e3]")), HasSubstr("expected rising numbers"));
  EXPECT_EQ(message_of(with("\"f32\"", "\"f99\"")),
            "mine.toml:27: host.products.dtype is \"f99\"; expected f64, f32, bf16, f16, f8e4m3, i8 or i32");
  EXPECT_EQ(message_of(with("5, 6]", "5]")),
            "mine.toml:31: host.products.seconds is 5 numbers; expected 6, one for every m, n and k");
  const std::string twice =
      std::string(kProfile) + "[[host.products]]\ndtype = \"f32\"\nm = [1]\nn = [1]\nk = [1]\nseconds = [1]\n";
  EXPECT_EQ(message_of(twice), "mine.toml:33: host.products.dtype is \"f32\"; expected one table for each dtype");
}

TEST(HostProfile, TheProfileOfThisMachineIsFoundByItsName) {
  const TemporaryFolder folder;
  const char* before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
  const std::string path = local_profile_path();
  EXPECT_EQ(path, (folder.path() / "meshmul" / "local.toml").string());
  try {
    find_hardware("local");
    ADD_FAILURE() << "there is no file yet";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "there is no profile of this machine at " + path + "; `meshmul calibrate` writes one");
  }
  std::filesystem::create_directories(folder.path() / "meshmul");
  std::ofstream(path) << kProfile;
  EXPECT_EQ(find_hardware("local").name, "mine");
  EXPECT_THAT(find_hardware("local:2").slice, ElementsAre(2));
  std::ofstream(path) << kProfile << "once = 1\n";
  try {
    find_hardware("local");
    ADD_FAILURE() << "a key is not known";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith(path + ":"));
    EXPECT_THAT(error.what(), HasSubstr("once is not known"));
    EXPECT_THAT(error.what(), EndsWith("(`meshmul calibrate` writes a new one)"));
  }
  before == nullptr ? unsetenv("XDG_CONFIG_HOME") : setenv("XDG_CONFIG_HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace meshmul
