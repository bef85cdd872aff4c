#include "input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

std::string reason(int error_number) { return std::generic_category().message(error_number); }

}  // namespace

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  // Without O_NONBLOCK, opening a pipe that nobody writes would wait for ever.
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0)
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: cannot open it: {}", path_, reason(errno)));
  struct stat status = {};
  const int failed = fstat(descriptor_, &status);
  if (failed != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor_);
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: {}; expected a regular file", path_,
                            failed == 0 && S_ISDIR(status.st_mode) ? "is a folder" : "is not a regular file"));
  }
  size_ = status.st_size;
}

InputFile::~InputFile() { close(descriptor_); }

void InputFile::read_at(std::int64_t offset, std::span<std::byte> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::int64_t position = offset + static_cast<std::int64_t>(done);
    const ssize_t count = pread(descriptor_, bytes.data() + done, bytes.size() - done, position);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw Error(ErrorCode::kMachine,
                  fmt::format("{}: cannot read it at byte {}: {}", path_, position, reason(errno)));
    if (count == 0)
      throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: ends at byte {}; expected at least {} bytes", path_,
                                                           position, offset + static_cast<std::int64_t>(bytes.size())));
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace meshmul
