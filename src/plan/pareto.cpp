#include "meshmul/pareto.hpp"

#include <utility>

#include "plan/unbeaten.hpp"
#include "plan/written_plan.hpp"

namespace meshmul {
namespace {

struct WayOnMachine {
  const Machine* machine = nullptr;
  PricedSteps found;
};

}  // namespace

std::vector<Plan> pareto_front(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                               const PlanOptions& options) {
  check_sizes(statement);
  const std::vector<Machine> all = machines(mesh, hardware, options);
  const StatementSearch search(statement, mesh, all.front(), options.wire_dtype);
  SearchOptions settings = search_options(hardware, options);
  settings.for_front = true;
  std::vector<WayOnMachine> ways;
  for (const Machine& machine : all) {
    SearchResult result = search.on(machine)->run(settings);
    for (PricedSteps& found : result.front) ways.push_back({&machine, std::move(found)});
  }
  if (ways.empty()) return {plan(statement, mesh, hardware, options)};  // which says what would fit

  const auto seconds = [&](const WayOnMachine& way) {
    return options.overlapped ? way.found.price.seconds_overlapped() : way.found.price.seconds_sequential();
  };
  std::vector<Plan> front;
  for (WayOnMachine& way :
       unbeaten(std::move(ways), seconds, [](const WayOnMachine& way) { return way.found.price.memory_bytes; }))
    front.push_back(written_plan(statement, mesh, *way.machine, std::move(way.found)));
  return front;
}

}  // namespace meshmul
