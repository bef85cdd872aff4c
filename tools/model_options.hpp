#pragma once
// The options that say what the cost model counts, and how the mesh lies on the hardware.

#include <CLI/CLI.hpp>
#include <string>

#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"

namespace meshmul::cli {

/// As they were written. What is empty or false is as the model has it.
struct ModelOptions {
  std::string model = "exact";
  std::string topology;
  std::string count;
  std::string latency;
  bool one_way = false;
  bool in_network_reduction = false;
  std::string map;
};

/// --model, --topology, --count, --latency, --one-way, --in-network-reduction and --map.
void add_model(CLI::App& verb, ModelOptions& options);

/// The settings and the mapping that the options name; all else is as in PlanOptions. Throws Error(kInvalidArgument) at a
/// name that is not known, and as parse_mapping does.
PlanOptions read_model(const ModelOptions& options, const Mesh& mesh, const Hardware& hardware);

}  // namespace meshmul::cli
