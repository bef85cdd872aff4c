#include "private_memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace meshmul {
namespace {

constexpr std::int64_t kKibibyte = 1024;

}  // namespace

PrivateMemory read_private_memory() {
  std::int64_t anonymous = 0;
  std::int64_t peak = 0;
  std::int64_t others = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string_view key = std::string_view(line).substr(0, colon);
    const std::int64_t bytes = std::strtoll(line.c_str() + colon + 1, nullptr, 10) * kKibibyte;
    if (key == "RssAnon") anonymous = bytes;
    if (key == "VmHWM") peak = bytes;
    if (key == "RssFile" || key == "RssShmem") others += bytes;
  }
  return {anonymous, std::max(anonymous, peak - others)};
}

std::int64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * kKibibyte;
}

}  // namespace meshmul
