// `meshmul run STATEMENT`: carries out a statement on this machine, with data from files or from a seed.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "interrupt.hpp"
#include "io/array_location.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/error.hpp"
#include "meshmul/simulate.hpp"
#include "pictures.hpp"
#include "plan_program.hpp"
#include "progress.hpp"
#include "run_check.hpp"
#include "run_inputs.hpp"
#include "run_outputs.hpp"
#include "run_report.hpp"
#include "statement_options.hpp"
#include "units.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul run 'A[I_X, J] * B[J_X, K] -> C[I_X, K]' --mesh X=4 --input A=a.npy --input B=b.npy --output c.npy\n"
    "  meshmul run 'bf16 A[I=512_X, J=1024] * B[J, K=512_Y] -> C[I_X, K_Y]' --mesh X=2,Y=2 --random=7 --check\n"
    "  meshmul run 'A[I_X, J] -> A[I, J_X]' --mesh X=4 --input A=w.safetensors:layer.0 --backend processes\n"
    "  meshmul run 'ReduceScatter_X,I(C[I=1000, K=512]{U_X})' --mesh X=3 --random --algorithm ring --check\n\n"
    "A file holds a whole array; sizes that the statement leaves out come from it, and so does the dtype.\n"
    "An input with partial sums, {U_X}, that comes from a file lies on coordinate 0 of X, and the others hold\n"
    "zeros; random partial sums differ from rank to rank. An output with partial sums is added up before it is\n"
    "written.";

struct RunOptions {
  StatementOptions statement;
  std::vector<std::string> inputs;
  std::string random;
  std::string output;
  std::string kernels;
  std::string deadline = "30s";
  bool check = false;
  bool no_verify = false;
  bool timeline = false;
  PictureOptions pictures;

  bool records() const { return timeline || wants_pictures(pictures); }
};

std::optional<std::uint64_t> read_seed(const RunOptions& options) {
  if (options.random.empty()) return {};
  if (options.random == "true") return 0;  // the bare flag
  return parse_seed(options.random, "--random");
}

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

/// The files that inputs are read from and the output goes to.
std::vector<std::string> data_files(const RunOptions& options, const std::vector<InputFile>& inputs) {
  std::vector<std::string> files;
  for (const InputFile& input : inputs) files.push_back(parse_array_location(input.location).file);
  if (!options.output.empty()) files.push_back(parse_array_location(options.output).file);
  return files;
}

ExecuteOptions read_execute_options(const RunOptions& options) {
  ExecuteOptions execute;
  execute.deadline = parse_duration(options.deadline, "--deadline");
  execute.seed = read_seed(options).value_or(0);
  execute.kernels = options.kernels;
  execute.record = options.records();
  execute.interrupted = [] { return interrupted_by() != 0; };
  return execute;
}

/// Runs what was compiled and looks at what came out.
RunResult carry_out(const RunOptions& options, const Executor& backend, const Compiled& compiled,
                    const std::vector<Input>& inputs, std::optional<Dtype> wire_dtype) {
  Progress progress(STDERR_FILENO);
  const Schedule& schedule = compiled.schedule;
  const auto session = backend.open(schedule, read_execute_options(options));
  load_inputs(inputs, schedule, *session, progress);
  RunResult result;
  result.plan = compiled.plan;
  result.lower = compiled.lower;
  result.backend = options.statement.backend;
  result.bytes_moved = bytes_between_ranks(schedule);
  result.output = options.output;
  progress.begin("running");
  result.measured = session->run();
  progress.end();
  result.timeline = session->timeline();
  const std::vector<OutputPiece> pieces = output_pieces(schedule);
  result.replicas_agree = replicas_agree(pieces, schedule, *session);
  if (!options.output.empty()) save_output(options.output, pieces, schedule, *session, progress);
  if (options.check) result.check = check_run(compiled, inputs, pieces, wire_dtype, *session, progress);
  return result;
}

Timeline predict(const Compiled& compiled, const Hardware& hardware) {
  return simulate(compiled.schedule, hardware, topology_of(compiled.plan, hardware), {.cost = compiled.plan.cost});
}

/// Compares what was measured with what was `predicted`, and draws both, as far as it was asked for.
void look_at_times(const RunOptions& options, const Compiled& compiled, const Timeline& predicted, RunResult& result) {
  if (wants_pictures(options.pictures))
    write_pictures(options.pictures, {.plan = &compiled.plan,
                                      .schedule = &compiled.schedule,
                                      .predicted = &predicted,
                                      .measured = &*result.timeline});
  if (options.timeline) result.times = compare_times(compiled.schedule, predicted, *result.timeline);
}

void check_records(const RunOptions& options) {
  if (options.records() && !options.statement.dump.empty())
    throw Error(ErrorCode::kInvalidArgument,
                "--dump prints a stage and runs nothing; leave it out, or --timeline, --html and --trace");
}

Answer answer(const RunOptions& options) {
  catch_interrupts();
  check_records(options);
  refuse_program_file(options.statement.statement, "run");
  const Mesh mesh = read_mesh(options.statement);
  const Executor& backend = read_backend(options.statement);
  auto [statement, files] = read_statement(options, mesh);
  refuse_same_files(options.pictures, data_files(options, files));
  if (const auto stage = read_dump(options.statement)) return {dump(*stage, statement, mesh, options.statement)};
  // 1. What can be refused is refused before the work begins.
  const std::vector<Input> inputs = make_inputs(statement, mesh, std::move(files), read_seed(options));
  const Hardware hardware = find_hardware(options.statement.hardware);
  CompileOptions compile_options = read_compile_options(options.statement, mesh, hardware);
  compile_options.verify = !options.no_verify;
  const Compiled compiled = compile(statement, mesh, hardware, backend, compile_options);
  if (!options.output.empty()) require_writable(options.output, output(compiled.plan.statement));
  std::optional<Timeline> predicted;
  if (options.records()) predicted = predict(compiled, hardware);
  // 2. The work.
  RunResult result = carry_out(options, backend, compiled, inputs, compile_options.plan.wire_dtype);
  if (predicted) look_at_times(options, compiled, *predicted, result);
  return {options.statement.json ? as_json(result) : as_text(result), !result.check || result.check->ok};
}

}  // namespace

Verb add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "Carry out a statement on this machine");
  add_statement(*verb, options->statement, "A product, a change of sharding, or a collective");
  verb->add_option("--input", options->inputs, "Data of an input: A=a.npy or A=w.safetensors:TENSOR; may be repeated")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  verb->add_flag("--random", options->random, "Random data, from a seed (--random=SEED), for inputs without a file");
  add_value(*verb, "--output", options->output, "Where the output goes: c.npy, c.safetensors or c.safetensors:TENSOR",
            "FILE")
      ->check(CLI::Validator(
          [](const std::string& file) { return file.empty() ? "expected a file, found nothing" : ""; }, ""));
  verb->add_flag("--check", options->check, "Compare with a product made in one piece; exit with 1 if it differs");
  add_compilation(*verb, options->statement);
  add_value(*verb, "--kernels", options->kernels, "Library of local products: reference, openblas, onednn", "NAME");
  add_value(*verb, "--deadline", options->deadline, "Fail after so long without progress", "TIME")
      ->capture_default_str();
  verb->add_flag("--no-verify", options->no_verify, "Do not prove the schedule before it runs");
  verb->add_flag("--timeline", options->timeline, "Compare the time of each op with what the simulator predicts");
  add_pictures(*verb, options->pictures);
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
