#pragma once
// A file that appears under its name only when it is complete: written without a name beside the target, made durable,
// then named. Without `commit` nothing stays behind.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace meshmul {

class AtomicFile {
 public:
  /// Creates a file in the folder of `target` with `num_bytes` bytes of reserved space: without a name, so that it goes
  /// even if this process is killed, or as `.NAME.RANDOM.tmp` where the file system has no such files. A regular file
  /// that bears the target's name is replaced on commit. Throws Error(kInvalidArgument) if the target is a folder, a link or
  /// a device, or its folder is missing or cannot be written; Error(kMachine) with both numbers if the disk is too
  /// full.
  AtomicFile(std::string target, std::int64_t num_bytes);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws Error(kMachine) if the machine cannot. Several threads may write at once.
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);

  /// Syncs the file, puts it in the place of the target, syncs the folder. Throws Error(kMachine) if the machine cannot.
  void commit();

 private:
  void refuse_odd_targets() const;
  void create();
  int create_unnamed() const;
  void give_name();
  template <class Make>
  bool take_temporary_name(Make make);
  void reserve(std::int64_t num_bytes);
  void discard();

  std::string target_;
  std::string folder_;  ///< as a path; `.` for a bare name
  std::string name_;
  std::string temporary_;  ///< name in the folder that is to be removed; empty if the file has none
  int folder_descriptor_ = -1;
  int descriptor_ = -1;
};

/// Writes a whole text, such as a report, in this way.
void write_file(const std::string& target, std::string_view text);

}  // namespace meshmul
