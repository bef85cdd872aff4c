#include "execute/cpu/private_memory.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <vector>

#include "execute/cpu/mapping.hpp"

namespace meshmul {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;

// Not instrumented: the thread sanitizer would answer each touch with private memory of its own.
[[gnu::no_sanitize_thread]] void touch_pages(const MemoryMapping& mapping) {
  for (std::int64_t i = 0; i < mapping.num_bytes(); i += 4096) mapping.data()[i] = std::byte{1};
}

TEST(PrivateMemory, GrowsByWhatIsAllocatedAndKeepsThePeak) {
  const PrivateMemory before = read_private_memory();
  PrivateMemory during;
  {
    const MemoryMapping mapping = MemoryMapping::anonymous(16 * kMebibyte);
    touch_pages(mapping);
    during = read_private_memory();
  }
  const PrivateMemory after = read_private_memory();
  EXPECT_GE(during.bytes - before.bytes, 15 * kMebibyte);
  EXPECT_LE(after.bytes - before.bytes, 4 * kMebibyte);
  EXPECT_GE(after.peak_bytes - before.bytes, 15 * kMebibyte);
  EXPECT_GE(peak_resident_bytes(), after.peak_bytes);
}

TEST(PrivateMemory, LeavesSharedMemoryOut) {
  const PrivateMemory before = read_private_memory();
  const MemoryMapping mapping = MemoryMapping::shared_file(16 * kMebibyte);
  touch_pages(mapping);
  EXPECT_LE(read_private_memory().bytes - before.bytes, 4 * kMebibyte);
}

}  // namespace
}  // namespace meshmul
