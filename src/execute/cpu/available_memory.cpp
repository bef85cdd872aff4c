#include "available_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUnlimited = std::int64_t{1} << 62;

std::optional<std::int64_t> read_number(const fs::path& file) {
  std::ifstream in(file);
  std::int64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;  // no such file, or `max`
}

// The number after `key` in a file of lines `key number`.
std::int64_t read_entry(const fs::path& file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != ' ') continue;
    return std::strtoll(line.c_str() + key.size(), nullptr, 10);
  }
  return 0;
}

std::int64_t machine_memory(const fs::path& root) {
  constexpr std::int64_t kKibibyte = 1024;
  const std::int64_t kibibytes = read_entry(root / "proc/meminfo", "MemAvailable:");
  return kibibytes > 0 ? kibibytes * kKibibyte : kUnlimited;
}

// The names that one version of control groups has for the same things.
struct GroupFiles {
  const char* limit;
  const char* use;
  const char* prefix;  // of the entries of memory.stat that include the groups below
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", ""};

// The least that a group between `mount` and `mount / group` has left. In a container the path may be that of the host
// and not exist; then the mount itself is the group.
std::int64_t group_memory(const fs::path& mount, std::string_view group, const GroupFiles& files) {
  std::int64_t least = kUnlimited;
  fs::path relative = fs::path(group).relative_path();
  while (true) {
    const fs::path folder = relative.empty() ? mount : mount / relative;
    const std::optional<std::int64_t> limit = read_number(folder / files.limit);
    const std::optional<std::int64_t> use = read_number(folder / files.use);
    if (limit && use) {
      const std::string prefix = files.prefix;
      const std::int64_t reclaimable = read_entry(folder / "memory.stat", prefix + "inactive_file") +
                                       read_entry(folder / "memory.stat", prefix + "active_file");
      least = std::min(least, std::max<std::int64_t>(0, *limit - *use + reclaimable));
    }
    if (relative.empty()) return least;
    relative = relative.parent_path();
  }
}

std::string in_words(std::int64_t bytes) {
  constexpr double kMebibyte = 1 << 20;
  return fmt::format("{:.1f} MiB ({} bytes)", static_cast<double>(bytes) / kMebibyte, bytes);
}

}  // namespace

std::int64_t available_memory(const fs::path& root) {
  std::int64_t available = machine_memory(root);
  // Lines `number:controllers:path`; version 2 is `0::path`.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t controllers = line.find(':') + 1;
    const std::size_t end = line.find(':', controllers);
    if (controllers == 0 || end == std::string::npos) continue;
    const std::string list = "," + line.substr(controllers, end - controllers) + ",";
    const std::string_view path = std::string_view(line).substr(end + 1);
    if (list == ",,")
      available = std::min(available, group_memory(root / "sys/fs/cgroup", path, kVersion2));
    else if (list.find(",memory,") != std::string::npos)
      available = std::min(available, group_memory(root / "sys/fs/cgroup/memory", path, kVersion1));
  }
  return available;
}

void require_memory(const MemoryNeed& need, std::int64_t available_bytes) {
  constexpr std::int64_t kMarginDivisor = 20;
  const std::int64_t per_rank = need.heap_bytes_per_rank + need.private_bytes_per_rank;
  std::int64_t all_ranks = 0;
  if (__builtin_mul_overflow(per_rank, std::int64_t{need.num_ranks}, &all_ranks) || all_ranks > kUnlimited)
    all_ranks = kUnlimited;
  if (all_ranks <= available_bytes - available_bytes / kMarginDivisor) return;
  throw Error(ErrorCode::kOutOfMemory,
              fmt::format("{} ranks need {}, each {} of buffers and about {} of its own; available are {}, of which a "
                          "twentieth is left alone",
                          need.num_ranks, in_words(all_ranks), in_words(need.heap_bytes_per_rank),
                          in_words(need.private_bytes_per_rank), in_words(available_bytes)));
}

}  // namespace meshmul
