#include "atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

std::string reason(int error_number) { return std::generic_category().message(error_number); }

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

[[noreturn]] void fail(const std::string& target, std::string_view what, int error_number) {
  throw Error(ErrorCode::kMachine, fmt::format("{}: cannot {} it: {}", target, what, reason(error_number)));
}

}  // namespace

AtomicFile::AtomicFile(std::string target, std::int64_t num_bytes) : target_(std::move(target)) {
  const std::size_t slash = target_.rfind('/');
  folder_ = slash == std::string::npos ? "." : slash == 0 ? "/" : target_.substr(0, slash);
  name_ = slash == std::string::npos ? target_ : target_.substr(slash + 1);
  if (name_.empty()) refuse(fmt::format("'{}' names no file to write", target_));
  folder_descriptor_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_descriptor_ < 0) refuse(fmt::format("{}: cannot open its folder {}: {}", target_, folder_, reason(errno)));
  try {
    refuse_odd_targets();
    create_temporary();
    reserve(num_bytes);
  } catch (...) {
    remove_temporary();
    throw;
  }
}

AtomicFile::~AtomicFile() { remove_temporary(); }

void AtomicFile::refuse_odd_targets() const {
  struct stat status = {};
  if (fstatat(folder_descriptor_, name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;  // there is none yet
  if (S_ISREG(status.st_mode)) return;
  // A rename would put a file in the place of the link or device instead of writing through it.
  const std::string_view kind = S_ISDIR(status.st_mode)   ? "a folder"
                                : S_ISLNK(status.st_mode) ? "a symbolic link; name the file that it points to"
                                                          : "not a regular file";
  refuse(fmt::format("{}: cannot write it: is {}", target_, kind));
}

void AtomicFile::create_temporary() {
  constexpr int kTries = 100;
  constexpr std::size_t kMostOfName = 200;  // a name may have 255 bytes
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    const std::string name = fmt::format(".{}.{:08x}.tmp", name_.substr(0, kMostOfName), random());
    // Mode 0666 is cut by the umask, as for any new file.
    descriptor_ = openat(folder_descriptor_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) break;
  }
  refuse(fmt::format("{}: cannot create a file in {}: {}", target_, folder_, reason(errno)));
}

void AtomicFile::reserve(std::int64_t num_bytes) {
  const auto refuse_space = [&](const std::string& why) {
    throw Error(ErrorCode::kMachine, fmt::format("{}: needs {} bytes in {}: {}", target_, num_bytes, folder_, why));
  };
  // Some file systems fill themselves up before they notice; asking first costs nothing.
  struct statvfs space = {};
  if (fstatvfs(descriptor_, &space) == 0) {
    const auto blocks_needed = static_cast<std::uint64_t>(num_bytes) / space.f_frsize;
    if (blocks_needed > space.f_bavail)
      refuse_space(fmt::format("{} are free", static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize));
  }
  if (num_bytes == 0 || fallocate(descriptor_, 0, 0, num_bytes) == 0) return;
  // Where space cannot be reserved, the file at least gets its size, and a full disk shows when it is written.
  const bool can_reserve = errno != EOPNOTSUPP && errno != ENOSYS;
  if (can_reserve || ftruncate(descriptor_, num_bytes) != 0) refuse_space(reason(errno));
}

void AtomicFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        pwrite(descriptor_, bytes.data() + done, bytes.size() - done, offset + static_cast<std::int64_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(target_, "write", errno);
    done += static_cast<std::size_t>(count);
  }
}

void AtomicFile::commit() {
  if (fsync(descriptor_) != 0) fail(target_, "sync", errno);
  if (renameat(folder_descriptor_, temporary_.c_str(), folder_descriptor_, name_.c_str()) != 0)
    fail(target_, "put the new file in the place of", errno);
  temporary_.clear();
  // Some network file systems cannot sync a folder and say EINVAL.
  if (fsync(folder_descriptor_) != 0 && errno != EINVAL) fail(target_, "sync the folder of", errno);
}

void AtomicFile::remove_temporary() {
  if (!temporary_.empty()) unlinkat(folder_descriptor_, temporary_.c_str(), 0);
  temporary_.clear();
  for (int* const descriptor : {&descriptor_, &folder_descriptor_}) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
  }
}

void write_file(const std::string& target, std::string_view text) {
  AtomicFile file(target, static_cast<std::int64_t>(text.size()));
  file.write_at(0, std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace meshmul
