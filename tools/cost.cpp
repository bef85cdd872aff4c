// `meshmul cost ARRAY` and `meshmul cost STATEMENT`: what an array takes on its devices, and what moving it takes.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/amounts.hpp"
#include "json.hpp"
#include "meshmul/layout.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/statement.hpp"
#include "statement_options.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul cost 'bf16 A[I=1024_X, J=4096_Y]' --mesh X=4,Y=4,Z=4\n"
    "  meshmul cost 'AllGather_X(bf16 A[I=1024_X, J=4096_Y])' --mesh X=4,Y=4 --hardware v5p\n"
    "  meshmul cost 'bf16 A[I=1024_X, J=4096] -> A[I, J_X]' --mesh X=8 --hardware h100 --json\n\n"
    "Collectives are priced by the formulas of docs/cost-model.md.";

/// What an array takes on a mesh.
struct Footprint {
  Shape local_shape;                 ///< of the largest shard
  std::int64_t local_bytes = 0;      ///< of the largest shard
  std::int64_t whole_bytes = 0;      ///< of the array in one piece
  double all_bytes = 0;              ///< of all shards of all devices
  std::vector<std::string> copied;   ///< axes along which the devices hold copies
  std::vector<std::string> partial;  ///< axes along which they hold partial sums
  std::int64_t copies = 1;
  bool even = true;
};

Footprint footprint_of(const ArrayType& type, const Mesh& mesh) {
  Footprint footprint;
  footprint.local_shape = max_local_shape(type, mesh);
  footprint.local_bytes = max_local_bytes(type, mesh);
  footprint.whole_bytes = Box::whole(global_shape(type)).num_elements() * size_bytes(type.dtype);
  for (int device = 0; device < mesh.num_devices(); ++device) {
    const Shape shape = local_shape(type, mesh, device);
    footprint.all_bytes += static_cast<double>(Box::whole(shape).num_elements() * size_bytes(type.dtype));
    footprint.even = footprint.even && shape == footprint.local_shape;
  }
  std::vector<int> used = type.sharding.unreduced;
  for (const int axis : used) footprint.partial.push_back(mesh.name(axis));
  for (const std::vector<int>& axes : type.sharding.dims) used.insert(used.end(), axes.begin(), axes.end());
  for (int axis = 0; axis < mesh.num_axes(); ++axis) {
    if (std::find(used.begin(), used.end(), axis) != used.end()) continue;
    footprint.copied.push_back(mesh.name(axis));
    footprint.copies *= mesh.size(axis);
  }
  return footprint;
}

std::string as_text(const ArrayType& type, const Mesh& mesh, const Footprint& footprint) {
  const auto bytes = [](auto amount) { return format_amount(static_cast<double>(amount), "B"); };
  std::string text = to_string(type, mesh) + "\n";
  text += fmt::format("device    [{}], {}{}\n", fmt::join(footprint.local_shape, ", "), bytes(footprint.local_bytes),
                      footprint.even ? "" : "; the largest shard, others are smaller");
  text += fmt::format("array     [{}], {}\n", fmt::join(global_shape(type), ", "), bytes(footprint.whole_bytes));
  text += fmt::format("devices   {}, {} together\n", mesh.num_devices(), bytes(footprint.all_bytes));
  if (!footprint.copied.empty())
    text +=
        fmt::format("copies    {} of every element, along {}\n", footprint.copies, fmt::join(footprint.copied, ", "));
  if (!footprint.partial.empty())
    text += fmt::format("sums      every device holds a partial one, along {}\n", fmt::join(footprint.partial, ", "));
  return text;
}

std::string as_json(const ArrayType& type, const Mesh& mesh, const Footprint& footprint) {
  return to_text({{"array", to_string(type, mesh)},
                  {"mesh", mesh.str()},
                  {"local_shape", footprint.local_shape},
                  {"bytes_per_device", footprint.local_bytes},
                  {"even", footprint.even},
                  {"array_bytes", footprint.whole_bytes},
                  {"total_bytes", footprint.all_bytes},
                  {"copies", footprint.copies},
                  {"copied_along", footprint.copied},
                  {"partial_along", footprint.partial}});
}

Answer array_answer(const StatementOptions& options, const Mesh& mesh) {
  const ArrayType type = parse_array(options.statement, mesh);
  check_sizes(Reshard{type, type});
  const Footprint footprint = footprint_of(type, mesh);
  return {options.json ? as_json(type, mesh, footprint) : as_text(type, mesh, footprint)};
}

Answer answer(const StatementOptions& options) {
  const Mesh mesh = read_mesh(options);
  const bool is_statement = options.statement.find_first_of("(>*") != std::string::npos;
  if (!is_statement) return array_answer(options, mesh);
  PlanOptions plan_options;
  plan_options.max_rejected = 0;
  const Statement statement = parse_statement(options.statement, mesh);
  check_sizes(statement);
  const Plan chosen = plan(statement, mesh, find_hardware(options.hardware), plan_options);
  return {options.json ? plan_json(chosen) : to_string(chosen)};
}

}  // namespace

Verb add_cost(CLI::App& app) {
  const auto options = std::make_shared<StatementOptions>();
  CLI::App* verb = app.add_subcommand("cost", "Say what an array takes on its devices, or what a collective costs");
  add_statement(*verb, *options, "An array, a collective, or any other statement; every index needs a size");
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
