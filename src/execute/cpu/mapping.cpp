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

std::span<std::byte> map_file(int file, std::int64_t num_bytes) {
  const auto size = static_cast<std::size_t>(num_bytes);
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) fail(ErrorCode::kMachine, "map", num_bytes, errno);
  return {static_cast<std::byte*>(data), size};
}

}  // namespace

Mapping Mapping::anonymous(std::int64_t num_bytes) {
  constexpr std::size_t kLargePage = std::size_t{2} << 20;  // begins at a multiple of its size
  const auto size = static_cast<std::size_t>(num_bytes);
  const std::size_t alignment = size < kLargePage ? 1 : kLargePage;
  std::size_t room = size + alignment - 1;
  void* data = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) fail(ErrorCode::kOutOfMemory, "allocate", num_bytes, errno);
  const std::span mapped(static_cast<std::byte*>(data), room);
  std::align(alignment, size, data, room);
  // Large pages where the machine hands them out on request; it is as right without.
  madvise(data, size, MADV_HUGEPAGE);
  return {FileDescriptor(), mapped, {static_cast<std::byte*>(data), size}};
}

Mapping Mapping::shared_file(std::int64_t num_bytes) {
  FileDescriptor file(memfd_create("meshmul", MFD_CLOEXEC));
  if (!file.is_open()) fail(ErrorCode::kMachine, "create a file for", num_bytes, errno);
  if (ftruncate(file.number(), num_bytes) != 0) fail(ErrorCode::kOutOfMemory, "allocate", num_bytes, errno);
  int failure = 0;
  do {
    failure = posix_fallocate(file.number(), 0, num_bytes);
  } while (failure == EINTR);
  if (failure != 0) fail(ErrorCode::kOutOfMemory, "allocate", num_bytes, failure);
  const std::span<std::byte> data = map_file(file.number(), num_bytes);
  return {std::move(file), data, data};
}

Mapping Mapping::of_file(FileDescriptor file, std::int64_t num_bytes) {
  const std::span<std::byte> data = map_file(file.number(), num_bytes);
  return {std::move(file), data, data};
}

Mapping::~Mapping() {
  if (!mapped_.empty()) munmap(mapped_.data(), mapped_.size());
}

}  // namespace meshmul
