#include "run_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>
#include <variant>

#include "base/amounts.hpp"
#include "execute/cpu/available_memory.hpp"
#include "interrupt.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/error.hpp"
#include "verify/partial_sums.hpp"

namespace meshmul::cli {
namespace {

/// Whole arrays that stay where they are, so that Terms can point to them.
using Arrays = std::deque<HostArray>;

std::int64_t num_terms(const ArrayType& type, const Mesh& mesh) { return mesh.size(type.sharding.unreduced); }

double whole_bytes(const ArrayType& type, const Mesh& mesh) {
  return static_cast<double>(num_terms(type, mesh) * size_bytes(type.dtype)) *
         static_cast<double>(Box::whole(global_shape(type)).num_elements());
}

void require_memory(double needed) {
  const auto available = static_cast<double>(available_memory());
  if (needed > available)
    throw Error(ErrorCode::kOutOfMemory,
                fmt::format("--check needs the whole arrays, {}, but {} of memory are available",
                            format_amount(needed, "B"), format_amount(available, "B")));
}

double bytes_to_check(const Statement& statement, const Mesh& mesh) {
  double needed = whole_bytes(output(statement), mesh);
  for (const ArrayType* type : inputs(statement)) needed += whole_bytes(*type, mesh);
  return needed;
}

/// Given arrays as they are, and all others in f64, the largest of them three times more.
double bytes_to_check(const Program& program, const Mesh& mesh) {
  double needed = 0;
  double largest = 0;
  for (const ValueId id : inputs(program)) needed += whole_bytes(program.value(id).type, mesh);
  for (const Value& value : program.values) {
    if (value.kind != ValueKind::kMade && value.kind != ValueKind::kStacked) continue;
    const double bytes = 8 * static_cast<double>(Box::whole(global_shape(value.type)).num_elements());
    needed += bytes;
    largest = std::max(largest, bytes);
  }
  return needed + 3 * largest;
}

/// The partial sums of an input. Those of a file are zeros but for the first.
Terms read_input(const Input& input, const Mesh& mesh, Arrays& arrays) {
  Terms terms;
  const Shape shape = global_shape(input.type());
  for (std::int64_t term = 0; term < num_terms(input.type(), mesh); ++term) {
    stop_if_interrupted();
    HostArray& array = arrays.emplace_back(input.type().dtype, shape);
    input.read(Box::whole(shape), term, array.view());
    terms.push_back(&array);
  }
  return terms;
}

Terms read_output(const Schedule& schedule, const Output& output, Session& session, Arrays& arrays) {
  const ArrayType& type = output.type;
  Terms terms;
  for (std::int64_t term = 0; term < num_terms(type, schedule.contract.mesh); ++term) {
    HostArray& array = arrays.emplace_back(type.dtype, global_shape(type));
    for (const OutputPiece& piece : output.pieces)
      meshmul::copy(array.view(piece.box),
                    view_of(piece, piece.terms[static_cast<std::size_t>(term)].front(), piece.box, schedule, session),
                    {});
    terms.push_back(&array);
  }
  return terms;
}

/// How many devices' partial sums are added for one element of the output.
std::int64_t devices_reduced(const Plan& plan) {
  const Operand operand = std::holds_alternative<Product>(plan.statement) ? Operand::kC : Operand::kA;
  std::int64_t devices = 1;
  for (const Step& step : plan.steps) {
    const auto* move = std::get_if<Move>(&step);
    if (move == nullptr || move->operand != operand) continue;
    if (move->kind == MoveKind::kAllReduce || move->kind == MoveKind::kReduceScatter)
      devices *= plan.mesh.size(move->axes);
  }
  return devices;
}

/// The same of a program: the most of all its statements.
std::int64_t devices_reduced(const ProgramPlan& plan) {
  std::int64_t most = 1;
  for (const PlannedPart& part : plan.best.parts) {
    std::int64_t devices = 1;
    for (const ProgramStep& step : part.steps)
      if (const auto* move = std::get_if<Move>(&step);
          move != nullptr && (move->kind == MoveKind::kAllReduce || move->kind == MoveKind::kReduceScatter))
        devices *= plan.mesh.size(move->axes);
    most = std::max(most, devices);
  }
  return most;
}

/// The dtype whose roundings the partial sums of the output saw. An input or output with partial sums stores them in its own
/// dtype, however wide the wire is.
std::optional<Dtype> rounded_to(const Statement& statement, std::optional<Dtype> wire_dtype, const Mesh& mesh) {
  const ArrayType& result = output(statement);
  bool stored = num_terms(result, mesh) > 1;
  for (const ArrayType* input : inputs(statement)) stored = stored || num_terms(*input, mesh) > 1;
  const bool wider = wire_dtype && size_bytes(*wire_dtype) > size_bytes(result.dtype);
  return stored && wider ? std::nullopt : wire_dtype;
}

std::vector<CheckResult> recompute(const Statement& statement, const std::vector<Terms>& inputs,
                                   const std::vector<Terms>& outputs, const CheckOptions& options) {
  return {check(statement, inputs, outputs.front(), options)};
}

std::vector<CheckResult> recompute(const Program& program, const std::vector<Terms>& inputs,
                                   const std::vector<Terms>& outputs, const CheckOptions& options) {
  return check(program, inputs, outputs, options);
}

/// Reads all arrays of a run of `subject`, a statement or a program, and compares.
template <class Subject>
std::vector<OutputCheck> check_arrays(const Subject& subject, const RanSchedule& ran, CheckOptions options) {
  const Mesh& mesh = ran.schedule.contract.mesh;
  ran.progress.begin("checking");
  require_memory(bytes_to_check(subject, mesh));
  Arrays arrays;
  std::vector<Terms> inputs, outputs;
  for (const Input& input : ran.inputs) inputs.push_back(read_input(input, mesh, arrays));
  for (const Output& output : ran.outputs) outputs.push_back(read_output(ran.schedule, output, ran.session, arrays));
  options.interrupted = [] { return interrupted_by() != 0; };
  const std::vector<CheckResult> results = recompute(subject, inputs, outputs, options);
  ran.progress.end();
  std::vector<OutputCheck> checks;
  for (std::size_t i = 0; i < results.size(); ++i) checks.push_back({ran.outputs[i].type.name, results[i]});
  return checks;
}

}  // namespace

std::vector<OutputCheck> check_run(const Compiled& compiled, const RanSchedule& ran,
                                   const std::optional<Dtype>& wire_dtype) {
  const Plan& plan = compiled.plan;
  return check_arrays(
      plan.statement, ran,
      {.partial_sums = devices_reduced(plan), .wire_dtype = rounded_to(plan.statement, wire_dtype, plan.mesh)});
}

std::vector<OutputCheck> check_run(const RanSchedule& ran) {
  return check_arrays(single_statement(ran.schedule.contract), ran,
                      {.partial_sums = verification::most_partial_sums(ran.schedule)});
}

std::vector<OutputCheck> check_run(const CompiledProgram& compiled, const RanSchedule& ran) {
  return check_arrays(compiled.plan.best.program, ran, {.partial_sums = devices_reduced(compiled.plan)});
}

void require_checkable(const Schedule& schedule, const std::string& name) {
  const std::vector<ContractStatement>& statements = schedule.contract.statements;
  if (statements.size() == 1 && std::holds_alternative<Statement>(statements.front().form)) return;
  const std::string found = statements.empty()       ? "has no statement"
                            : statements.size() == 1 ? "is a function"
                                                     : fmt::format("has {} statements", statements.size());
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--check recomputes one product, change of sharding or collective; the contract of {} {}, so "
                          "leave out --check: meshmul verify proves which terms come out",
                          name, found));
}

}  // namespace meshmul::cli
