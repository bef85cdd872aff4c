#include "plan/report/part_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/amounts.hpp"
#include "notation/print.hpp"
#include "plan/program/tasks.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {
namespace {

std::string expression(const ProgramStatement& statement, const PlannedPart& part, const Program& program) {
  const auto* repeat = std::get_if<Repeat>(&program.items[static_cast<std::size_t>(part.item)]);
  std::vector<std::string> sources;
  for (const Use& use : uses(statement)) {
    const std::string& name = program.value(use.value).type.name;
    sources.push_back(use.sliced ? fmt::format("{}[{}]", name, repeat->variable) : name);
  }
  if (const auto* map = std::get_if<MapStatement>(&statement))
    return fmt::format("{}({})", name(map->function), fmt::join(sources, ", "));
  const auto function = std::get<ProductStatement>(statement).function;
  const std::string product = fmt::format("{}", fmt::join(sources, " * "));
  return function ? fmt::format("{}({})", name(*function), product) : product;
}

Row map_row(const LocalMap& map, const Mesh& mesh) {
  std::vector<std::string> sources;
  for (const ArrayType& source : map.sources) sources.push_back(notation::short_text(source, mesh));
  return {std::string(name(map.function)),
          fmt::format("{} -> {}", fmt::join(sources, ", "), notation::short_text(map.result, mesh)),
          "",
          "",
          map.cost.bound == Bound::kNone ? "free" : std::string(name(map.cost.bound)),
          format_seconds(map.cost.seconds),
          ""};
}

}  // namespace

std::string part_title(const PlannedPart& part, const Program& program) {
  const std::string& result = program.value(result_of(part, program)).type.name;
  std::string title;
  if (part.kind == PartKind::kStatement)
    title = fmt::format("{} = {}", result, expression(*statement_of(part, program), part, program));
  else if (part.kind == PartKind::kEnterLoop)
    title = fmt::format("{} enters repeat {}", result,
                        std::get<Repeat>(program.items[static_cast<std::size_t>(part.item)]).index);
  else
    title = fmt::format("{} to the next pass", result);
  return part.times == 1 ? title : fmt::format("{}, {} times", title, part.times);
}

std::vector<Row> part_rows(const PlannedPart& part, const Program& program, const Mesh& mesh) {
  std::vector<Row> rows;
  for (const ProgramStep& step : part.steps) {
    if (const auto* map = std::get_if<LocalMap>(&step))
      rows.push_back(map_row(*map, mesh));
    else if (const auto* move = std::get_if<Move>(&step))
      rows.push_back(step_row(*move, mesh));
    else
      rows.push_back(step_row(std::get<LocalProduct>(step), mesh));
  }
  if (part.function_step) {
    const auto& product = std::get<ProductStatement>(*statement_of(part, program));
    rows[static_cast<std::size_t>(*part.function_step)][0] += fmt::format(", {}", name(*product.function));
  }
  return rows;
}

}  // namespace meshmul
