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

Array run_exchange(const Array& array, const std::string& key, const auto& build) {
  const std::shared_ptr<WorldState>& world = WorldState::of(array);
  check_equal_shards(array, world->mesh());
  const ArrayType type = with_index_names(array.type());
  const auto schedule = [&] {
    Schedule built = legalize(build(type), world->executor().capabilities());
    prove(built);
    return built;
  };
  return world->run(key + " " + to_string(type, world->mesh()), schedule, {&array});
}

}  // namespace

Array exchange_pairs(const Array& array, const std::string& axis) {
  const Mesh& mesh = WorldState::of(array)->mesh();
  const int number = axis_named(mesh, axis);
  return run_exchange(array, fmt::format("exchange_pairs {}", axis),
                      [&](const ArrayType& type) { return exchange_pairs(type, mesh, number); });
}

Array shift(const Array& array, const std::string& axis, std::int64_t distance) {
  const Mesh& mesh = WorldState::of(array)->mesh();
  const int number = axis_named(mesh, axis);
  return run_exchange(array, fmt::format("shift {} {}", axis, distance),
                      [&](const ArrayType& type) { return shift(type, mesh, number, distance); });
}

}  // namespace meshmul
