#include "plan/program/write_out.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "plan/explain.hpp"
#include "plan/memory.hpp"
#include "plan/on_chip.hpp"
#include "plan/program/task_way.hpp"

namespace meshmul {
namespace {

double move_seconds(const ProgramStep& step) {
  const auto* move = std::get_if<Move>(&step);
  return move == nullptr ? 0 : move->cost.seconds;
}

double sent_bytes(const ProgramStep& step) {
  return std::visit([](const auto& s) { return s.cost.bytes; }, step);
}

double seconds(const ProgramStep& step) {
  return std::visit([](const auto& s) { return s.cost.seconds; }, step);
}

/// The same without functions.
std::vector<Step> moves_and_product(const std::vector<ProgramStep>& steps) {
  std::vector<Step> found;
  for (const ProgramStep& step : steps) {
    if (const auto* move = std::get_if<Move>(&step)) found.emplace_back(*move);
    if (const auto* product = std::get_if<LocalProduct>(&step)) found.emplace_back(*product);
  }
  return found;
}

std::vector<std::string> cases_of(Product statement, std::vector<Step> steps, const Mesh& mesh) {
  Plan plan;
  plan.mesh = mesh;
  plan.statement = std::move(statement);
  plan.steps = std::move(steps);
  return explain_axes(plan);
}

/// The first step that leaves no sums to be completed, but those that the result keeps.
int first_complete_step(const std::vector<ProgramStep>& steps, const ArrayType& result) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto* move = std::get_if<Move>(&steps[i]);
    const auto* product = std::get_if<LocalProduct>(&steps[i]);
    const ArrayType* made = product != nullptr ? &product->c : nullptr;
    if (move != nullptr && move->operand == Operand::kC) made = &move->to;
    if (made != nullptr && made->sharding.unreduced == result.sharding.unreduced) return static_cast<int>(i);
  }
  return static_cast<int>(steps.size()) - 1;
}

class Writer {
 public:
  Writer(const PreparedProgram& prepared, const Assignment& assignment, const SearchTerms& terms)
      : setting_(prepared.setting), prepared_(prepared), assignment_(assignment), terms_(terms) {
    planned_.program = setting_.program;
    for (ValueId id = 0; id < static_cast<ValueId>(planned_.program.values.size()); ++id) {
      ArrayType& type = planned_.program.value(id).type;
      if (type.open) type.sharding = setting_.axes.unpack(setting_.choices.sharding(id, option(id)), type.num_dims());
      type.open = false;
    }
    for (const ValueId id : inputs(setting_.program)) lasting_bytes_ += bytes(id);
  }

  PlannedProgram write() {
    for (std::size_t i = 0; i < prepared_.tasks.size(); ++i) add(prepared_.tasks[i], prepared_.ways[i]);
    planned_.strategy = strategy_of(planned_, setting_.axes.mesh());
    return std::move(planned_);
  }

 private:
  int option(ValueId value) const { return assignment_.options[static_cast<std::size_t>(setting_.choices.of(value))]; }
  double bytes(ValueId value) const { return setting_.choices.bytes(value, option(value)); }

  void add(const Task& task, const TaskWays& ways) {
    double others = lasting_bytes_;
    for (const ValueId value : task.kept) others += bytes(value);
    TaskOptions options{};
    for (std::size_t i = 0; i < task.sources.size(); ++i)
      options[i] = static_cast<std::uint16_t>(option(task.sources[i].value));
    options[2] = static_cast<std::uint16_t>(option(task.result));
    const std::optional<TaskWay> way = best_way(task, ways, options, terms_, assignment_.peak_bytes - others);
    assert(way);

    PlannedPart part;
    part.kind = task.kind;
    part.item = task.item;
    part.index = task.index;
    part.times = task.times;
    part.steps = steps_of(task, ways, *way, planned_.program, setting_.axes);
    if (task.statement != nullptr)
      if (const auto* product = std::get_if<ProductStatement>(task.statement)) explain(*product, part);
    set_costs(part);
    part.working_bytes = whole_bytes(source_bytes(task, ways, options) + way->made_bytes);
    part.peak_bytes = whole_bytes(others + way->made_bytes);
    planned_.peak_bytes = std::max(planned_.peak_bytes, part.peak_bytes);
    planned_.parts.push_back(std::move(part));
    for (const ValueId value : task.finished) lasting_bytes_ += bytes(value);
  }

  void explain(const ProductStatement& statement, PlannedPart& part) const {
    const Program& closed = planned_.program;
    if (statement.function) part.function_step = first_complete_step(part.steps, closed.value(statement.result).type);
    std::vector<Step> steps = moves_and_product(part.steps);
    part.on_chip = on_chip(steps, setting_.axes.mesh(), setting_.machine.hardware);
    part.cases = cases_of(meshmul::product_of(closed, statement), std::move(steps), setting_.axes.mesh());
  }

  void set_costs(PlannedPart& part) {
    double moves = 0;
    for (const ProgramStep& step : part.steps) {
      part.seconds_sequential += seconds(step);
      moves += move_seconds(step);
      planned_.sent_bytes += sent_bytes(step) * static_cast<double>(part.times);
    }
    part.seconds_overlapped = std::max(moves, part.seconds_sequential - moves);
    planned_.seconds_sequential += part.seconds_sequential * static_cast<double>(part.times);
    planned_.seconds_overlapped += part.seconds_overlapped * static_cast<double>(part.times);
  }

  static double source_bytes(const Task& task, const TaskWays& ways, const TaskOptions& options) {
    if (ways.is_change()) return ways.result->space().bytes(ways.starts[options[0]]);
    double bytes = 0;
    for (std::size_t i = 0; i < task.sources.size(); ++i)
      bytes += ways.sources[i]->space().bytes(ways.sources[i]->state(options[i]));
    return bytes;
  }

  const ProgramSetting& setting_;
  const PreparedProgram& prepared_;
  const Assignment& assignment_;
  const SearchTerms& terms_;
  double lasting_bytes_ = 0;  // of given arrays and finished outputs
  PlannedProgram planned_;
};

}  // namespace

PlannedProgram written_out(const PreparedProgram& prepared, const Assignment& assignment, const SearchTerms& terms) {
  return Writer(prepared, assignment, terms).write();
}

}  // namespace meshmul
