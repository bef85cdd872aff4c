#include "execute/cpu/available_memory.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUnlimited = std::int64_t{1} << 62;

/// A folder that stands for `/` and holds the files that a test writes.
class AvailableMemory : public ::testing::Test {
 protected:
  AvailableMemory() { fs::create_directories(root_); }
  ~AvailableMemory() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  fs::path root_ = fs::path(::testing::TempDir()) / ("meshmul_available_memory_" + std::to_string(getpid()));
};

TEST_F(AvailableMemory, IsUnlimitedWhereNothingSaysHowMuchThereIs) { EXPECT_EQ(available_memory(root_), kUnlimited); }

TEST_F(AvailableMemory, IsWhatTheMachineHasAvailable) {
  write("proc/meminfo", "MemTotal:       24683784 kB\nMemFree:          123 kB\nMemAvailable:   1000 kB\n");
  EXPECT_EQ(available_memory(root_), 1000 * 1024);
}

TEST_F(AvailableMemory, IsTheLeastThatAGroupOfVersion2OrOneAboveItHasLeft) {
  write("proc/meminfo", "MemAvailable:   1000000 kB\n");
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write("sys/fs/cgroup/outer/inner/memory.current", "5000\n");
  write("sys/fs/cgroup/outer/memory.max", "100000\n");
  write("sys/fs/cgroup/outer/memory.current", "60000\n");
  write("sys/fs/cgroup/outer/memory.stat", "anon 50000\ninactive_file 3000\nactive_file 200\n");
  EXPECT_EQ(available_memory(root_), 100000 - 60000 + 3200);
}

TEST_F(AvailableMemory, KnowsVersion1AndCountsFileCacheOfTheGroupsBelow) {
  write("proc/self/cgroup", "5:cpu,memory:/job\n0::/\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "100000\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "90000\n");
  write("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 7000\ntotal_active_file 10\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "90000\n");
  EXPECT_EQ(available_memory(root_), 100000 - 90000 + 7010);
}

TEST_F(AvailableMemory, TakesTheMountWhereAContainerSeesAPathOfItsHost) {
  write("proc/self/cgroup", "0::/docker/0123\n");
  write("sys/fs/cgroup/memory.max", "5000\n");
  write("sys/fs/cgroup/memory.current", "6000\n");
  EXPECT_EQ(available_memory(root_), 0);
}

TEST_F(AvailableMemory, IsPositiveOnThisMachine) { EXPECT_GT(available_memory(), 0); }

TEST(RequireMemory, LeavesATwentiethAlone) {
  EXPECT_NO_THROW(require_memory({2, 400, 75}, 1000));
  EXPECT_THROW(require_memory({2, 400, 76}, 1000), Error);
}

TEST(RequireMemory, SaysBothNumbers) {
  constexpr std::int64_t kMebibyte = 1 << 20;
  try {
    require_memory({4, 3 * kMebibyte, kMebibyte}, 10 * kMebibyte);
    ADD_FAILURE() << "16 MiB fitted 10";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_STREQ(
        error.what(),
        "4 ranks need 16.0 MiB (16777216 bytes), each 3.0 MiB (3145728 bytes) of buffers and about 1.0 MiB "
        "(1048576 bytes) of its own; available are 10.0 MiB (10485760 bytes), of which a twentieth is left alone");
  }
}

TEST(RequireMemory, RefusesSumsThatOverflow) {
  EXPECT_THROW(require_memory({1 << 20, std::int64_t{1} << 61, 0}, kUnlimited), Error);
}

}  // namespace
}  // namespace meshmul
