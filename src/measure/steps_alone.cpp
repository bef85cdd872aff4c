#include "steps_alone.hpp"

#include <utility>

#include "meshmul/lower.hpp"
#include "schedule/builder.hpp"
#include "schedule/local_map.hpp"
#include "schedule/placed_array.hpp"

namespace meshmul::measure {

Schedule product_alone(const LocalProduct& product, const Mesh& mesh) {
  Plan plan;
  plan.mesh = mesh;
  plan.statement = Product{product.a, product.b, product.c};
  plan.steps = {product};
  return lower(plan);
}

Schedule map_alone(MapFunction function, const std::vector<ArrayType>& sources, const ArrayType& result,
                   const Mesh& mesh) {
  // Names of our own: those of a program may be the same, or none.
  Elementwise elementwise{function, sources, result};
  elementwise.result.name = "Made";
  for (std::size_t i = 0; i < sources.size(); ++i) elementwise.sources[i].name = "Source" + std::to_string(i);
  ScheduleBuilder builder(mesh);
  Contract contract{mesh, {elementwise}, {}, {}, false};
  std::vector<PlacedArray> placed;
  for (const ArrayType& source : elementwise.sources) {
    placed.push_back(place(builder, source.name, source));
    const auto holdings = holdings_of(placed.back(), source.name);
    contract.inputs.insert(contract.inputs.end(), holdings.begin(), holdings.end());
  }
  const PlacedArray made = place(builder, elementwise.result.name, elementwise.result);
  local_map(builder, function, placed, made);
  contract.outputs = holdings_of(made, elementwise.result.name);
  return builder.finish(std::move(contract));
}

}  // namespace meshmul::measure
