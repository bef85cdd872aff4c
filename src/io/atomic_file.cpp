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
    create();
    reserve(num_bytes);
  } catch (...) {
    discard();
    throw;
  }
}

AtomicFile::~AtomicFile() { discard(); }

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

void AtomicFile::create() {
  descriptor_ = create_unnamed();
  if (descriptor_ >= 0) return;
  // Mode 0666 is cut by the umask, as for any new file.
  const bool created = take_temporary_name([this](const char* name) {
    descriptor_ = openat(folder_descriptor_, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return descriptor_ >= 0;
  });
  if (!created) refuse(fmt::format("{}: cannot create a file in {}: {}", target_, folder_, reason(errno)));
}

// Not every file system has files without a name, and to name one later takes /proc. -1 then.
int AtomicFile::create_unnamed() const {
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  return openat(folder_descriptor_, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
}

// Calls `make` with names until it makes something of one, or fails for another reason than that the name is taken.
template <class Make>
bool AtomicFile::take_temporary_name(Make make) {
  constexpr int kTries = 100;
  constexpr std::size_t kMostOfName = 200;  // a name may have 255 bytes
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    const std::string name = fmt::format(".{}.{:08x}.tmp", name_.substr(0, kMostOfName), random());
    if (make(name.c_str())) {
      temporary_ = name;
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
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
  give_name();
  // Some network file systems cannot sync a folder and say EINVAL.
  if (fsync(folder_descriptor_) != 0 && errno != EINVAL) fail(target_, "sync the folder of", errno);
}

// A link replaces nothing. So in the place of another file it is made under a temporary name, and renamed at once.
void AtomicFile::give_name() {
  if (temporary_.empty()) {
    const std::string unnamed = fmt::format("/proc/self/fd/{}", descriptor_);
    const auto link_as = [&](const char* name) {
      return linkat(AT_FDCWD, unnamed.c_str(), folder_descriptor_, name, AT_SYMLINK_FOLLOW) == 0;
    };
    if (link_as(name_.c_str())) return;
    if (errno != EEXIST || !take_temporary_name(link_as)) fail(target_, "give a name to", errno);
  }
  if (renameat(folder_descriptor_, temporary_.c_str(), folder_descriptor_, name_.c_str()) != 0)
    fail(target_, "put the new file in the place of", errno);
  temporary_.clear();
}

void AtomicFile::discard() {
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
