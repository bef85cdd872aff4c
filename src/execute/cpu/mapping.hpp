#pragma once
// Owned memory mappings: anonymous ones for threads, and those of a file without a name that processes pass around.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "file_descriptor.hpp"

namespace meshmul {

class Mapping {
 public:
  /// Zeroed memory of this process, whose pages come with their first use. Throws Error(kOutOfMemory).
  static Mapping anonymous(std::int64_t num_bytes);
  /// Zeroed memory behind a descriptor that other processes can map, every page of it reserved, so that too little
  /// memory is an error here and not a bus error later. Throws Error(kOutOfMemory).
  static Mapping shared_file(std::int64_t num_bytes);
  /// The memory behind `file`, which another process has made. Throws Error(kMachine).
  static Mapping of_file(FileDescriptor file, std::int64_t num_bytes);

  Mapping(Mapping&& other) noexcept
      : file_(std::move(other.file_)),
        data_(std::exchange(other.data_, nullptr)),
        num_bytes_(std::exchange(other.num_bytes_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(data_, other.data_);
    std::swap(num_bytes_, other.num_bytes_);
    return *this;
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  std::byte* data() const { return data_; }
  std::int64_t num_bytes() const { return num_bytes_; }
  /// Closed for an anonymous mapping.
  const FileDescriptor& file() const { return file_; }

 private:
  Mapping(FileDescriptor file, std::byte* data, std::int64_t num_bytes)
      : file_(std::move(file)), data_(data), num_bytes_(num_bytes) {}

  FileDescriptor file_;
  std::byte* data_ = nullptr;
  std::int64_t num_bytes_ = 0;
};

}  // namespace meshmul
