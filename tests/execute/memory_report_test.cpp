// What the executors of this machine report as the memory of a rank.

#include <gmock/gmock.h>

#include <cstdlib>

#include "conformance_cases.hpp"

namespace meshmul {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kBufferBytes = 32 * kMebibyte;

class MemoryReport : public ::testing::TestWithParam<std::string> {
 protected:
  /// Peak bytes of two ranks that fill a buffer.
  static std::vector<std::int64_t> peak_bytes(const std::string& kind) {
    std::string text = header(2) + fmt::format("buffer b f32 [{}] {}\n", kBufferBytes / 4, kind);
    for (const int rank : {0, 1})
      text += fmt::format("rank {}\n  lane compute\n    map b[0:{}] zero\n", rank, kBufferBytes / 4);
    return find_executor(GetParam())->open(parse_schedule(text), {})->run().peak_bytes;
  }
};

TEST_P(MemoryReport, CountsABufferOnceWhoeverMayTouchIt) {
  const std::vector<std::int64_t> shared = peak_bytes("symmetric");
  const std::vector<std::int64_t> own = peak_bytes("private");
  ASSERT_EQ(shared.size(), 2U);
  ASSERT_EQ(own.size(), 2U);
  for (const std::size_t rank : {0U, 1U}) {
    EXPECT_GE(shared[rank], kBufferBytes);
    EXPECT_GE(own[rank], kBufferBytes);
    EXPECT_LE(std::abs(shared[rank] - own[rank]), kBufferBytes / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Executors, MemoryReport, ::testing::Values(std::string("threads"), std::string("processes")),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace meshmul
