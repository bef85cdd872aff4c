// From the plan of a program to a schedule: each array is placed when it is made, and its memory is used again when
// nothing reads it any more.

#include "meshmul/lower_program.hpp"

#include <algorithm>
#include <utility>

#include "../builder.hpp"
#include "../overlap/overlapped_product.hpp"
#include "../placed_array.hpp"
#include "../statement_steps.hpp"
#include "program_contract.hpp"
#include "straight_line.hpp"

namespace meshmul {
namespace {

class ProgramLowering {
 public:
  ProgramLowering(const ProgramPlan& plan, const ProgramWay& way)
      : planned_(plan.best),
        program_(plan.best.program),
        line_(straight_line(plan.best)),
        way_(way),
        builder_(plan.mesh),
        placed_(line_.arrays.size()) {}

  Schedule run() {
    Contract contract{builder_.mesh(), contract_statements(line_, program_), {}, {}, false};
    for (const int input : line_.inputs) {
      placed(input) = place(builder_, type(input).name, type(input));
      add_holdings(contract.inputs, input);
    }
    find_last_uses();
    for (std::size_t i = 0; i < line_.lines.size(); ++i) write(line_.lines[i], static_cast<int>(i));
    for (const int output : line_.outputs) add_holdings(contract.outputs, output);
    return builder_.finish(std::move(contract));
  }

 private:
  static constexpr int kKept = -1;

  PlacedArray& placed(int array) { return placed_[static_cast<std::size_t>(array)]; }
  const ArrayType& type(int array) const { return line_.arrays[static_cast<std::size_t>(array)].type; }
  const Value& value(int array) const { return program_.value(line_.arrays[static_cast<std::size_t>(array)].value); }

  int number_of(const PlannedPart& part) const { return static_cast<int>(&part - planned_.parts.data()); }

  void add_holdings(std::vector<Holding>& holdings, int array) {
    for (Holding& holding : holdings_of(placed(array), type(array).name)) holdings.push_back(std::move(holding));
  }

  // By array: the line after which its memory is free. Inputs and outputs keep theirs.
  void find_last_uses() {
    last_use_.assign(line_.arrays.size(), kKept);
    for (std::size_t i = 0; i < line_.lines.size(); ++i) {
      last_use_[static_cast<std::size_t>(line_.lines[i].result)] = static_cast<int>(i);
      for (const int source : line_.lines[i].sources) last_use_[static_cast<std::size_t>(source)] = static_cast<int>(i);
    }
    for (const auto* kept : {&line_.inputs, &line_.outputs})
      for (const int array : *kept) last_use_[static_cast<std::size_t>(array)] = kKept;
  }

  void write(const Line& line, int number) {
    const std::size_t num_added = builder_.added_buffers().size();
    placed(line.result) = write_steps(builder_, steps_of(line), way_.of(number_of(*line.part)));
    for (std::size_t i = num_added; i < builder_.added_buffers().size(); ++i)
      if (const int buffer = builder_.added_buffers()[i]; buffer != placed(line.result).buffer)
        builder_.release(buffer);
    std::vector<int> arrays = line.sources;
    arrays.push_back(line.result);
    std::sort(arrays.begin(), arrays.end());
    arrays.erase(std::unique(arrays.begin(), arrays.end()), arrays.end());
    for (const int array : arrays)
      if (last_use_[static_cast<std::size_t>(array)] == number) builder_.release(placed(array).buffer);
  }

  // Outputs have memory named after them; all other memory has the name of the value, which is the same in all passes.
  StatementSteps steps_of(const Line& line) {
    const bool is_output = std::find(line_.outputs.begin(), line_.outputs.end(), line.result) != line_.outputs.end();
    StatementSteps steps{line.part->steps,
                         {},
                         is_output ? type(line.result).name : value(line.result).type.name,
                         type(line.result).dtype,
                         std::nullopt};
    for (const int source : line.sources) steps.sources.push_back(placed(source));
    if (line.part->function_step) {
      const auto& product = std::get<ProductStatement>(*line.statement);
      steps.function = AppliedFunction{*product.function, static_cast<std::size_t>(*line.part->function_step),
                                       product_of(program_, product).c.dtype};
    }
    return steps;
  }

  const PlannedProgram& planned_;
  const Program& program_;
  const StraightLine line_;
  const ProgramWay& way_;
  ScheduleBuilder builder_;
  std::vector<PlacedArray> placed_;  // by array, once it is made
  std::vector<int> last_use_;
};

std::vector<ProgramArray> named(const std::vector<int>& arrays, const StraightLine& line) {
  std::vector<ProgramArray> named;
  for (const int array : arrays) {
    const auto& [type, value, slice] = line.arrays[static_cast<std::size_t>(array)];
    named.push_back({type.name, value, slice});
  }
  return named;
}

}  // namespace

ProgramArrays contract_arrays(const ProgramPlan& plan) {
  const StraightLine line = straight_line(plan.best);
  return {named(line.inputs, line), named(line.outputs, line)};
}

Schedule lower(const ProgramPlan& plan, const LowerOptions& options) { return lower(plan, ProgramWay(options)); }

Schedule lower(const ProgramPlan& plan, const ProgramWay& way) {
  check_overlap(way.rest.overlap);
  for (const PartWay& part : way.parts) check_overlap(part.lower.overlap);
  return ProgramLowering(plan, way).run();
}

}  // namespace meshmul
