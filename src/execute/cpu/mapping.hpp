#pragma once
// Owned memory mappings: anonymous ones for threads, and those of a file without a name that processes pass around.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "file_descriptor.hpp"

namespace meshmul {

class MemoryMapping {
 public:
  /// Zeroed memory of this process, whose pages come with their first use: large ones where the machine hands them out
  /// on request, so what can hold a large page begins where one can. Throws Error(kOutOfMemory).
  static MemoryMapping anonymous(std::int64_t num_bytes);
  /// Zeroed memory behind a descriptor that other processes can map, every page of it reserved, so that too little
  /// memory is an error here and not a bus error later, and gathered to large ones where the kernel can. Throws
  /// Error(kOutOfMemory).
  static MemoryMapping shared_file(std::int64_t num_bytes);
  /// The memory behind `file`, which another process has made. Throws Error(kMachine).
  static MemoryMapping of_file(FileDescriptor file, std::int64_t num_bytes);

  MemoryMapping(MemoryMapping&& other) noexcept
      : file_(std::move(other.file_)),
        mapped_(std::exchange(other.mapped_, {})),
        data_(std::exchange(other.data_, {})) {}
  MemoryMapping& operator=(MemoryMapping&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(mapped_, other.mapped_);
    std::swap(data_, other.data_);
    return *this;
  }
  MemoryMapping(const MemoryMapping&) = delete;
  MemoryMapping& operator=(const MemoryMapping&) = delete;
  ~MemoryMapping();

  std::byte* data() const { return data_.data(); }
  std::int64_t num_bytes() const { return static_cast<std::int64_t>(data_.size()); }
  /// Closed for an anonymous mapping.
  const FileDescriptor& file() const { return file_; }

 private:
  static MemoryMapping map(FileDescriptor file, std::int64_t num_bytes);
  MemoryMapping(FileDescriptor file, std::span<std::byte> mapped, std::span<std::byte> data)
      : file_(std::move(file)), mapped_(mapped), data_(data) {}

  FileDescriptor file_;
  std::span<std::byte> mapped_;
  std::span<std::byte> data_;  // within `mapped_`
};

}  // namespace meshmul
