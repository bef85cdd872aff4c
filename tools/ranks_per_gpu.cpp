#include "ranks_per_gpu.hpp"

#include <fmt/format.h>

#include "arguments.hpp"
#include "base/option_values.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cli {

void add_ranks_per_gpu(CLI::App& verb, std::string& ranks_per_gpu) {
  add_value(verb, "--ranks-per-gpu", ranks_per_gpu,
            "--backend cuda: ranks that share a GPU; default: as few as there are GPUs for", "N");
}

std::optional<int> read_ranks_per_gpu(const std::string& ranks_per_gpu, const std::string& backend) {
  if (ranks_per_gpu.empty()) return {};
  if (backend != "cuda")
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--ranks-per-gpu counts for --backend cuda; found --backend {}", backend));
  return parse_count(ranks_per_gpu, "--ranks-per-gpu", 1);
}

}  // namespace meshmul::cli
