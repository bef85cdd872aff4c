// `meshmul run STATEMENT|FILE`: carries out a statement, a program or a schedule on this machine, with data from files or
// from a seed.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "interrupt.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/error.hpp"
#include "program_file.hpp"
#include "ranks_per_gpu.hpp"
#include "run_check.hpp"
#include "run_comparison.hpp"
#include "run_compiled.hpp"
#include "run_program.hpp"
#include "run_schedule.hpp"
#include "schedule_file.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul run 'A[I_X, J] * B[J_X, K] -> C[I_X, K]' --mesh X=4 --input A=a.npy --input B=b.npy --output c.npy\n"
    "  meshmul run 'bf16 A[I=512_X, J=1024] * B[J, K=512_Y] -> C[I_X, K_Y]' --mesh X=2,Y=2 --random=7 --check\n"
    "  meshmul run 'A[I_X, J] -> A[I, J_X]' --mesh X=4 --input A=w.safetensors:layer.0 --backend processes\n"
    "  meshmul run 'ReduceScatter_X,I(C[I=1000, K=512]{U_X})' --mesh X=3 --random --algorithm ring --check\n"
    "  meshmul run stack.mm --mesh X=4 --input X=x.npy --input W1=w.safetensors:layers.{l}.up \\\n"
    "    --input W2=w.safetensors:layers.{l}.down --output y.npy --check\n"
    "  meshmul run schedule.txt --random --check\n"
    "  meshmul run 'A[I=4096_X, J=4096] * B[J_X, K=4096] -> C[I_X, K]' --mesh X=2 --random --hardware local "
    "--compare\n\n"
    "A file holds a whole array; sizes that the statement leaves out come from it, and so does the dtype.\n"
    "An input with partial sums, {U_X}, that comes from a file lies on coordinate 0 of X, and the others hold\n"
    "zeros; random partial sums differ from rank to rank. An output with partial sums is added up before it is\n"
    "written. A schedule says itself what it needs; it runs once it is proven, and otherwise the findings are shown.";

/// The statement with what its text leaves out and the files say, and the files.
std::pair<Statement, std::vector<InputFile>> read_statement(const RunOptions& options, const Mesh& mesh) {
  const std::string& text = options.statement.statement;
  const std::optional<Dtype> written = written_dtype(text, mesh);
  std::vector<InputFile> files = open_inputs(options.inputs, written);
  const Dtype from_files = files.empty() ? Dtype::kF32 : files.front().reader.dtype();
  Statement statement = parse_statement(text, mesh, written.value_or(from_files));
  take_sizes(statement, files);
  check_sizes(statement);
  return {std::move(statement), std::move(files)};
}

void check_records(const RunOptions& options) {
  if (options.records() && !options.statement.dump.empty())
    throw Error(ErrorCode::kInvalidArgument,
                "--dump prints a stage and runs nothing; leave it out, or --timeline, --html and --trace");
}

Answer run_statement(const RunOptions& options) {
  const Mesh mesh = read_mesh(options.statement);
  const Executor& backend = read_backend(options.statement);
  auto [statement, files] = read_statement(options, mesh);
  const std::vector<OutputFile> output_files = read_outputs(options, {&output(std::as_const(statement))});
  refuse_overwriting(options, locations_of(files), output_files);
  if (const auto stage = read_dump(options.statement)) return {dump(*stage, statement, mesh, options.statement)};
  // 1. What can be refused is refused before the work begins.
  const std::vector<Input> inputs =
      make_inputs(meshmul::inputs(std::as_const(statement)), mesh, std::move(files), read_random(options));
  const Hardware hardware = find_hardware(options.statement.hardware);
  CompileOptions compile_options = read_compile_options(options.statement, mesh, hardware);
  compile_options.verify = !options.no_verify;
  const Compiled compiled = compile(statement, mesh, hardware, backend, compile_options);
  const auto outputs_of = [&](const Schedule& schedule) {
    return std::vector{find_output(schedule, output(compiled.plan.statement))};
  };
  OutputChecker check;
  if (options.check)
    check = [&](const Schedule& schedule, Session& session, Progress& progress) {
      return check_run(compiled, {schedule, inputs, outputs_of(schedule), session, progress},
                       compile_options.plan.wire_dtype);
    };
  if (options.compare) {
    const std::string subject = to_string(compiled.plan.statement, mesh);
    return compare_ways(options, compiled, {subject, hardware, inputs, compile_options.plan.memory_bytes, check});
  }
  const std::vector<Output> outputs = outputs_of(compiled.schedule);
  require_writable(output_files, outputs);
  // 2. The work.
  const RunTask task{compiled.schedule, inputs, outputs, output_files, check};
  return run_compiled(options, compiled, hardware, task);
}

Answer answer(const RunOptions& options) {
  catch_interrupts();
  check_records(options);
  check_comparison(options);
  (void)read_execute_options(options);  // refuses what is wrong before the work begins
  if (is_program_file(options.statement.statement)) return run_program(options);
  return is_schedule_file(options.statement.statement) ? run_schedule(options) : run_statement(options);
}

}  // namespace

Verb add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "Carry out a statement, a program or a schedule on this machine");
  add_statement(
      *verb, options->statement,
      "A product, a change of sharding or a collective; a program FILE.mm; or a schedule in its text form, FILE or -");
  verb->add_option("--input", options->inputs, "Data of an input: A=a.npy or A=w.safetensors:TENSOR; may be repeated")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  verb->add_flag("--random", options->random, "Random data, from a seed (--random=SEED), for inputs without a file");
  verb->add_flag("--whole-numbers", options->whole_numbers,
                 "Random data are whole numbers from -N to N (--whole-numbers=N; default 1)");
  verb->add_option("--output", options->outputs,
                   "Where the output goes: c.npy, c.safetensors or c.safetensors:TENSOR; of several NAME=FILE")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& file) { return file.empty() ? "expected a file, found nothing" : ""; }, ""));
  verb->add_flag("--check", options->check, "Compare with a product made in one piece; exit with 1 if it differs");
  add_compilation(*verb, options->statement);
  add_ranks_per_gpu(*verb, options->ranks_per_gpu);
  add_value(*verb, "--kernels", options->kernels, "Library of local products: reference, openblas, onednn", "NAME");
  add_value(*verb, "--deadline", options->deadline, "Fail after so long without progress", "TIME")
      ->capture_default_str();
  verb->add_flag("--no-verify", options->no_verify, "Do not prove the schedule before it runs");
  verb->add_flag("--timeline", options->timeline, "Compare the time of each op with what the simulator predicts");
  verb->add_flag("--compare", options->compare, "Run every way to build the plan, beside what the simulator predicts");
  add_value(*verb, "--rounds", options->rounds, "How often --compare runs each way", "NUMBER")->capture_default_str();
  add_pictures(*verb, options->pictures);
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
