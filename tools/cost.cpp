// `meshmul cost ARRAY` and `meshmul cost STATEMENT`: what an array takes on its devices, and what moving it takes.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "base/amounts.hpp"
#include "json.hpp"
#include "meshmul/footprint.hpp"
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

std::vector<std::string> names_of(const std::vector<int>& axes, const Mesh& mesh) {
  std::vector<std::string> names;
  for (const int axis : axes) names.push_back(mesh.name(axis));
  return names;
}

std::string as_text(const ArrayType& type, const Mesh& mesh, const Footprint& footprint) {
  const auto bytes = [](auto amount) { return format_amount(static_cast<double>(amount), "B"); };
  std::string text = to_string(type, mesh) + "\n";
  text += fmt::format("device    [{}], {}{}\n", fmt::join(footprint.local_shape, ", "), bytes(footprint.local_bytes),
                      footprint.even ? "" : "; the largest shard, others are smaller");
  text += fmt::format("array     [{}], {}\n", fmt::join(global_shape(type), ", "), bytes(footprint.array_bytes));
  text += fmt::format("devices   {}, {} together\n", mesh.num_devices(), bytes(footprint.total_bytes));
  if (!footprint.copied_along.empty())
    text += fmt::format("copies    {} of every element, along {}\n", footprint.copies,
                        fmt::join(names_of(footprint.copied_along, mesh), ", "));
  if (!footprint.partial_along.empty())
    text += fmt::format("sums      every device holds a partial one, along {}\n",
                        fmt::join(names_of(footprint.partial_along, mesh), ", "));
  return text;
}

std::string as_json(const ArrayType& type, const Mesh& mesh, const Footprint& footprint) {
  return to_text({{"array", to_string(type, mesh)},
                  {"mesh", mesh.str()},
                  {"local_shape", footprint.local_shape},
                  {"bytes_per_device", footprint.local_bytes},
                  {"even", footprint.even},
                  {"array_bytes", footprint.array_bytes},
                  {"total_bytes", footprint.total_bytes},
                  {"copies", footprint.copies},
                  {"copied_along", names_of(footprint.copied_along, mesh)},
                  {"partial_along", names_of(footprint.partial_along, mesh)}});
}

Answer array_answer(const StatementOptions& options, const Mesh& mesh) {
  const ArrayType type = parse_array(options.statement, mesh);
  check_sizes(Reshard{type, type});
  const Footprint footprint = meshmul::footprint(type, mesh);
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
