// Exchanges between neighbours: every rank gets the shard of another one.

#include <fmt/format.h>

#include "equation.hpp"
#include "meshmul/collectives.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/error.hpp"
#include "meshmul/layout.hpp"
#include "meshmul/world.hpp"
#include "world_state.hpp"

namespace meshmul {
namespace {

int axis_named(const Mesh& mesh, const std::string& name) {
  if (const std::optional<int> axis = mesh.find(name)) return *axis;
  throw Error(ErrorCode::kInvalidArgument, fmt::format("the mesh has no axis {}", name));
}

/// A shard that takes another's place must have its shape, or the result would be no array.
void check_equal_shards(const Array& array, const Mesh& mesh) {
  for (int rank = 1; rank < mesh.num_devices(); ++rank)
    if (array.local_shape(rank) != array.local_shape(0))
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("neighbours exchange shards of one shape; those of rank 0 and rank {} differ: {} and {}",
                              rank, array.local_box(0).at_origin().str(), array.local_box(rank).at_origin().str()));
}

Array run_exchange(Exchange exchange, const Array& array, const std::string& axis, std::int64_t distance) {
  const std::shared_ptr<WorldState>& world = WorldState::of(array);
  const int number = axis_named(world->mesh(), axis);
  check_equal_shards(array, world->mesh());
  const ArrayType type = with_index_names(array.type());
  const auto schedule = [&] {
    Schedule built =
        legalize(build_exchange(exchange, type, world->mesh(), number, distance), world->executor().capabilities());
    prove(built);
    return of_statement(std::move(built));
  };
  const std::string key = fmt::format("{} {} {}", name(exchange), axis, distance);
  return world->run(key + " " + to_string(type, world->mesh()), schedule, {&array}).front();
}

}  // namespace

Array exchange_pairs(const Array& array, const std::string& axis) {
  return run_exchange(Exchange::kPairs, array, axis, 1);
}

Array shift(const Array& array, const std::string& axis, std::int64_t distance) {
  return run_exchange(Exchange::kShift, array, axis, distance);
}

}  // namespace meshmul
