#pragma once
// The options of every verb that takes a statement: mesh, hardware, limits, and how the schedule is made.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "meshmul/compile.hpp"
#include "model_options.hpp"
#include "overlap_options.hpp"

namespace meshmul::cli {

/// The stages of the flow that `--dump` prints.
enum class Stage { kStatement, kPlan, kSchedule, kLegal };

/// As they were written; the functions below give them a meaning.
struct StatementOptions {
  std::string statement;
  std::string mesh;
  std::string hardware = "cpu";
  ModelOptions model;
  std::string memory;
  std::string wire_dtype;
  std::string algorithm = "automatic";
  OverlapWords overlap;
  std::string backend = "threads";
  std::string dump;
  bool json = false;
};

/// STATEMENT, --mesh, --hardware, the options of the cost model, and --json.
void add_statement(CLI::App& verb, StatementOptions& options, const std::string& help);
/// --memory, --wire-dtype, --algorithm, those of overlap, --backend and --dump.
void add_compilation(CLI::App& verb, StatementOptions& options);

/// Throws Error(kInvalidArgument) at the first axis of the statement if there is no --mesh to find it in.
Mesh read_mesh(const StatementOptions& options);
CompileOptions read_compile_options(const StatementOptions& options, const Mesh& mesh, const Hardware& hardware);
const Executor& read_backend(const StatementOptions& options);
std::optional<Stage> read_dump(const StatementOptions& options);

/// The text form of a stage, from a statement or program whose sizes are known.
std::string dump(Stage stage, const Statement& statement, const Mesh& mesh, const StatementOptions& options);
std::string dump(Stage stage, const Program& program, const Mesh& mesh, const StatementOptions& options);

}  // namespace meshmul::cli
