#pragma once
// A regular file that is read at positions. Reads are checked, never mapped: a file that shrinks is then an error and
// not a signal.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace meshmul {

class InputFile {
 public:
  /// Throws Error(kInvalidArgument) if `path` cannot be opened or is not a regular file.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  /// Bytes when it was opened.
  std::int64_t size() const { return size_; }

  /// Fills `bytes` from position `offset`. Throws Error(kInvalidArgument) if the file ends before, Error(kMachine) if
  /// the machine cannot read it.
  void read_at(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace meshmul
