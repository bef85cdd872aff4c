#include "execute/cpu/mapping.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

constexpr std::int64_t kLargePage = std::int64_t{2} << 20;

FileDescriptor duplicate(const FileDescriptor& file) { return FileDescriptor(dup(file.number())); }

TEST(MemoryMapping, SharesTheBytesOfAFileAmongAllThatMapIt) {
  for (const std::int64_t num_bytes : {std::int64_t{1}, std::int64_t{4097}, kLargePage, 3 * kLargePage + 5}) {
    const MemoryMapping first = MemoryMapping::shared_file(num_bytes);
    const MemoryMapping second = MemoryMapping::of_file(duplicate(first.file()), num_bytes);
    ASSERT_EQ(second.num_bytes(), num_bytes);
    EXPECT_TRUE(std::all_of(first.data(), first.data() + num_bytes, [](std::byte b) { return b == std::byte{0}; }));
    first.data()[0] = std::byte{1};
    second.data()[num_bytes - 1] = std::byte{2};
    EXPECT_EQ(second.data()[0], num_bytes == 1 ? std::byte{2} : std::byte{1});
    EXPECT_EQ(first.data()[num_bytes - 1], std::byte{2});
  }
}

// A large page of the file is one of the address space only if both begin at a multiple of its size.
TEST(MemoryMapping, BeginsWhereALargePageCanIfItCanHoldOne) {
  for (int i = 0; i < 4; ++i) {
    const MemoryMapping file = MemoryMapping::shared_file(kLargePage + 1);
    const MemoryMapping again = MemoryMapping::of_file(duplicate(file.file()), kLargePage + 1);
    const MemoryMapping anonymous = MemoryMapping::anonymous(kLargePage + 1);
    for (const MemoryMapping* mapping : {&file, &again, &anonymous})
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapping->data()) % kLargePage, 0U);
  }
}

TEST(MemoryMapping, RefusesMoreThanThereAreAddresses) {
  EXPECT_THROW(MemoryMapping::anonymous(std::int64_t{1} << 50), Error);
}

TEST(MemoryMapping, RefusesAFileThatIsNone) { EXPECT_THROW(MemoryMapping::of_file(FileDescriptor(), 4096), Error); }

}  // namespace
}  // namespace meshmul
