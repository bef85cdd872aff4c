#include "result_header.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <vector>

#include "meshmul/error.hpp"
#ifdef MESHMUL_HAS_CUDA
#include "execute/cuda/gpu_facts.hpp"
#endif

namespace meshmul::measure {
namespace {

/// As Linux knows it.
std::vector<std::string> own_command() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

void add_gpu(nlohmann::ordered_json& header) {
#ifdef MESHMUL_HAS_CUDA
  if (const auto facts = cuda::gpu_facts()) {
    header["gpu"] = facts->name;
    header["gpus"] = facts->count;
    if (facts->driver) header["driver"] = *facts->driver;
    header["cuda_driver"] = facts->driver_cuda;
    header["cuda_runtime"] = facts->runtime_cuda;
    header["sm_clock_limit_mhz"] = facts->sm_clock_limit_mhz;
    header["memory_clock_limit_mhz"] = facts->memory_clock_limit_mhz;
    if (facts->power_limit_watts) header["power_limit_watts"] = *facts->power_limit_watts;
    return;
  }
#endif
  static_cast<void>(header);
  throw Error(ErrorCode::kUnsupported, "there is no GPU to measure on");
}

}  // namespace

std::string command_text(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    // Of --option=path as well.
    const std::size_t value = word.starts_with("--") && word.find('=') != std::string::npos ? word.find('=') + 1 : 0;
    const std::size_t slash = word.rfind('/');
    std::string shown = word;
    if (slash != std::string::npos && slash >= value) shown = word.substr(0, value) + word.substr(slash + 1);
    const bool is_plain = !shown.empty() && shown.find_first_of(" \t\n*[]{}()<>|&;$'\"\\") == std::string::npos;
    text += fmt::format("{}{}", text.empty() ? "" : " ", is_plain ? shown : "'" + shown + "'");
  }
  return text;
}

nlohmann::ordered_json result_header(const ResultMethod& method) {
  nlohmann::ordered_json header{{"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))}};
  if (method.on_gpu) add_gpu(header);
  header["command"] = command_text(own_command());
  header["warm_up"] = method.warm_up;
  header["statistic"] = method.statistic;
  header["pairs"] = method.pairs;
  return header;
}

}  // namespace meshmul::measure
