#pragma once
// A file that appears under its name only when it is complete: written as a temporary beside the target, made durable,
// then renamed. Without `commit` nothing stays behind.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace meshmul {

class AtomicFile {
 public:
  /// Creates `.NAME.RANDOM.tmp` in the folder of `target` with `num_bytes` bytes of reserved space. A regular file that
  /// bears the target's name is replaced on commit. Throws Error(kInvalidArgument) if the target is a folder, a link or
  /// a device, or its folder is missing or cannot be written; Error(kMachine) with both numbers if the disk is too
  /// full.
  AtomicFile(std::string target, std::int64_t num_bytes);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws Error(kMachine) if the machine cannot. Several threads may write at once.
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);

  /// Syncs the file, renames it over the target, syncs the folder. Throws Error(kMachine) if the machine cannot.
  void commit();

 private:
  void refuse_odd_targets() const;
  void create_temporary();
  void reserve(std::int64_t num_bytes);
  void remove_temporary();

  std::string target_;
  std::string folder_;  ///< as a path; `.` for a bare name
  std::string name_;
  std::string temporary_;  ///< name in the folder; empty when there is none to remove
  int folder_descriptor_ = -1;
  int descriptor_ = -1;
};

/// Writes a whole text, such as a report, in this way.
void write_file(const std::string& target, std::string_view text);

}  // namespace meshmul
