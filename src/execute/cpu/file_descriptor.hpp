#pragma once
// A file descriptor that closes itself.

#include <unistd.h>

#include <utility>

namespace meshmul {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, kClosed)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ != kClosed) close(number_);
  }

  int number() const { return number_; }
  bool is_open() const { return number_ != kClosed; }

 private:
  static constexpr int kClosed = -1;
  int number_ = kClosed;
};

}  // namespace meshmul
