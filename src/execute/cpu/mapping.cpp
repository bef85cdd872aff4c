#include "mapping.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

[[noreturn]] void fail(ErrorCode code, std::string_view what, std::int64_t num_bytes, int error) {
  throw Error(code,
              fmt::format("cannot {} {} bytes of memory: {}", what, num_bytes, std::generic_category().message(error)));
}

constexpr std::size_t kLargePage = std::size_t{2} << 20;
constexpr int kCollapse = 25;  // MADV_COLLAPSE, which the headers of glibc 2.36 lack

/// Addresses, and the part of them that begins at a multiple of a large page if it can hold one.
struct Room {
  std::span<std::byte> mapped;
  std::span<std::byte> data;
};

Room reserve(std::int64_t num_bytes, int protection) {
  const auto size = static_cast<std::size_t>(num_bytes);
  const std::size_t alignment = size < kLargePage ? 1 : kLargePage;
  std::size_t room = size + alignment - 1;
  void* data = mmap(nullptr, room, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) fail(ErrorCode::kOutOfMemory, "allocate", num_bytes, errno);
  const std::span mapped(static_cast<std::byte*>(data), room);
  std::align(alignment, size, data, room);
  return {mapped, {static_cast<std::byte*>(data), size}};
}

}  // namespace

// Maps all of `file` so that large pages of it are large pages here.
MemoryMapping MemoryMapping::map(FileDescriptor file, std::int64_t num_bytes) {
  const Room room = reserve(num_bytes, PROT_NONE);
  MemoryMapping mapping(std::move(file), room.mapped, room.data);
  void* data = mmap(room.data.data(), room.data.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                    mapping.file().number(), 0);
  if (data == MAP_FAILED) fail(ErrorCode::kMachine, "map", num_bytes, errno);
  return mapping;
}

MemoryMapping MemoryMapping::anonymous(std::int64_t num_bytes) {
  const Room room = reserve(num_bytes, PROT_READ | PROT_WRITE);
  // Large pages where the machine hands them out on request; it is as right without.
  madvise(room.data.data(), room.data.size(), MADV_HUGEPAGE);
  return {FileDescriptor(), room.mapped, room.data};
}

MemoryMapping MemoryMapping::shared_file(std::int64_t num_bytes) {
  FileDescriptor file(memfd_create("meshmul", MFD_CLOEXEC));
  if (!file.is_open()) fail(ErrorCode::kMachine, "create a file for", num_bytes, errno);
  if (ftruncate(file.number(), num_bytes) != 0) fail(ErrorCode::kOutOfMemory, "allocate", num_bytes, errno);
  int failure = 0;
  do {
    failure = posix_fallocate(file.number(), 0, num_bytes);
  } while (failure == EINTR);
  if (failure != 0) fail(ErrorCode::kOutOfMemory, "allocate", num_bytes, failure);
  MemoryMapping mapping = map(std::move(file), num_bytes);
  // Since Linux 6.1 this makes large pages of shared memory whatever the machine does by itself; it is as right without.
  if (mapping.data_.size() >= kLargePage) madvise(mapping.data(), mapping.data_.size(), kCollapse);
  return mapping;
}

MemoryMapping MemoryMapping::of_file(FileDescriptor file, std::int64_t num_bytes) {
  return map(std::move(file), num_bytes);
}

MemoryMapping::~MemoryMapping() {
  if (!mapped_.empty()) munmap(mapped_.data(), mapped_.size());
}

}  // namespace meshmul
