// The verbs on arrays: products, changes of sharding, named collectives.

#include <fmt/format.h>

#include <algorithm>

#include "equation.hpp"
#include "meshmul/error.hpp"
#include "meshmul/world.hpp"
#include "notation/collective_type.hpp"
#include "world_state.hpp"

namespace meshmul {
namespace {

Array run_collective(CollectiveKind kind, const Array& array, const std::vector<std::string>& axis_names,
                     std::optional<int> dim) {
  const std::shared_ptr<WorldState>& world = WorldState::of(array);
  Collective collective{kind, {}, dim, with_index_names(array.type()), {}};
  for (const std::string& axis_name : axis_names) {
    const std::optional<int> axis = world->mesh().find(axis_name);
    if (!axis) throw Error(ErrorCode::kInvalidArgument, fmt::format("the mesh has no axis {}", axis_name));
    collective.axes.push_back(*axis);
  }
  if (dim && (*dim < 0 || *dim >= collective.from.num_dims()))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("dimension {} of an array of {} dimensions", *dim, collective.from.num_dims()));
  if (const auto fault = notation::collective_fault(collective, world->mesh()))
    throw Error(ErrorCode::kInvalidArgument, fault->sentence);
  collective.to = notation::collective_result(kind, collective.axes, dim, collective.from);
  return world->run(collective, {&array});
}

}  // namespace

Array einsum(std::string_view equation, const Array& a, const Array& b, const std::optional<P>& output) {
  const std::shared_ptr<WorldState>& world = WorldState::of(a);
  return world->run(product_of(equation, a.type(), b.type(), output, world->mesh()), {&a, &b});
}

Array reshard(const Array& array, const P& sharding) {
  const std::shared_ptr<WorldState>& world = WorldState::of(array);
  Reshard statement{with_index_names(array.type()), with_index_names(array.type())};
  statement.to.sharding = sharding.resolve(world->mesh(), statement.to.num_dims());
  return world->run(statement, {&array});
}

Array all_gather(const Array& array, const std::vector<std::string>& axes) {
  return run_collective(CollectiveKind::kAllGather, array, axes, {});
}
Array reduce_scatter(const Array& array, const std::vector<std::string>& axes, int dim) {
  return run_collective(CollectiveKind::kReduceScatter, array, axes, dim);
}
Array all_reduce(const Array& array, const std::vector<std::string>& axes) {
  return run_collective(CollectiveKind::kAllReduce, array, axes, {});
}
Array all_to_all(const Array& array, const std::vector<std::string>& axes, int dim) {
  return run_collective(CollectiveKind::kAllToAll, array, axes, dim);
}

}  // namespace meshmul
