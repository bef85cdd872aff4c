#include "run_program.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/compile.hpp"
#include "program_file.hpp"
#include "run_check.hpp"
#include "run_comparison.hpp"
#include "run_compiled.hpp"
#include "run_program_inputs.hpp"

namespace meshmul::cli {
namespace {

struct GivenProgram {
  Program program;
  std::vector<ProgramInput> files;
};

/// The program with what its text leaves out and the files say. A dtype that nobody wrote is that of the first file.
GivenProgram parse(const RunOptions& options, const std::string& text, const Mesh& mesh) {
  Program program = parse_program(text, mesh);
  const bool has_dtype = program == parse_program(text, mesh, Dtype::kF64);
  std::vector<ProgramInput> files = open_program_inputs(options.inputs, program, !has_dtype);
  if (!has_dtype && !files.empty()) program = parse_program(text, mesh, files.front().files.dtype());
  take_sizes(program, files);
  check_sizes(program);
  return {std::move(program), std::move(files)};
}

std::vector<const ArrayType*> output_types(const Program& program) {
  std::vector<const ArrayType*> types;
  for (const ValueId id : outputs(program)) types.push_back(&program.value(id).type);
  return types;
}

/// Under their names in the program, as they were planned; slices that come out by themselves as one array.
std::vector<Output> find_outputs(const ProgramPlan& plan, const Schedule& schedule) {
  const std::vector<ProgramArray> arrays = contract_arrays(plan).outputs;
  std::vector<Output> outputs;
  for (auto array = arrays.begin(); array != arrays.end();) {
    const ArrayType& type = plan.best.program.value(array->value).type;
    if (!array->slice) {
      outputs.push_back(find_output(schedule, type, (array++)->name));
      continue;
    }
    std::vector<std::string> slices;
    for (const ValueId whole = array->value; array != arrays.end() && array->value == whole; ++array)
      slices.push_back(array->name);
    outputs.push_back(find_output(schedule, type, slices));
  }
  return outputs;
}

Answer compile_and_run(const RunOptions& options, const Mesh& mesh, const GivenProgram& given) {
  // 1. What can be refused is refused before the work begins.
  const std::vector<OutputFile> output_files = read_outputs(options, output_types(given.program));
  refuse_overwriting(options, locations_of(given.files), output_files);
  const std::optional<RandomValues> random = read_random(options);
  const std::vector<Input> whole_inputs = make_whole_inputs(given.program, mesh, given.files, random);
  const Hardware hardware = find_hardware(options.statement.hardware);
  CompileOptions compile_options = read_compile_options(options.statement, mesh, hardware);
  compile_options.verify = !options.no_verify;
  const CompiledProgram compiled =
      compile(given.program, mesh, hardware, read_backend(options.statement), compile_options);
  const std::vector<Input> inputs =
      make_inputs(compiled.plan.best.program, contract_arrays(compiled.plan).inputs, mesh, given.files, random);
  OutputChecker check;
  if (options.check)
    check = [&](const Schedule& schedule, Session& session, Progress& progress) {
      return check_run(compiled, {schedule, whole_inputs, find_outputs(compiled.plan, schedule), session, progress});
    };
  if (options.compare)
    return compare_ways(options, compiled,
                        {options.statement.statement, hardware, inputs, compile_options.plan.memory_bytes, check});
  const std::vector<Output> outputs = find_outputs(compiled.plan, compiled.schedule);
  require_writable(output_files, outputs);
  // 2. The work.
  const RunTask task{compiled.schedule, inputs, outputs, output_files, check};
  return run_compiled(options, compiled, hardware, task);
}

}  // namespace

Answer run_program(const RunOptions& options) {
  const std::string& path = options.statement.statement;
  const Mesh mesh = options.statement.mesh.empty() ? Mesh{} : parse_mesh(options.statement.mesh);
  const std::string text = read_program(path);
  return placed_in_file(path, text, [&]() -> Answer {
    const GivenProgram given = parse(options, text, mesh);
    if (const auto stage = read_dump(options.statement)) return {dump(*stage, given.program, mesh, options.statement)};
    return compile_and_run(options, mesh, given);
  });
}

}  // namespace meshmul::cli
