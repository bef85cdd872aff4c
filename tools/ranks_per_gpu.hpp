#pragma once
// The option that says how ranks lie on GPUs.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace meshmul::cli {

/// --ranks-per-gpu
void add_ranks_per_gpu(CLI::App& verb, std::string& ranks_per_gpu);

/// Nothing if it was not given. Throws Error(kInvalidArgument) if it is no number from 1, or the backend is not `cuda`.
std::optional<int> read_ranks_per_gpu(const std::string& ranks_per_gpu, const std::string& backend);

}  // namespace meshmul::cli
