// Every rank gets the shard of one other rank.

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "../builder.hpp"
#include "../placed_array.hpp"
#include "meshmul/collectives.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

void check(const ArrayType& type, const Mesh& mesh, int axis) {
  if (axis < 0 || axis >= mesh.num_axes())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("the mesh {} has {} axes; there is no axis number {}", mesh.str(), mesh.num_axes(), axis));
  check_sizes(Reshard{type, type});
  if (!type.sharding.unreduced.empty())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} holds partial sums; neighbours exchange complete arrays", to_string(type, mesh)));
}

// Rank r gets the shard of rank partner(r).
template <class Partner>
Schedule exchange(const ArrayType& type, const Mesh& mesh, Partner partner) {
  ScheduleBuilder builder(mesh);
  const std::string name = type.name.empty() ? "A" : type.name;
  const PlacedArray from = place(builder, name, type);
  std::vector<Box> boxes;
  for (int rank = 0; rank < mesh.num_devices(); ++rank) boxes.push_back(from.held(partner(rank)));
  const PlacedArray to = place_boxes(builder, name + ".out", type, std::move(boxes));
  for (int rank = 0; rank < mesh.num_devices(); ++rank) {
    if (partner(rank) == rank)
      builder.copy(to.region(rank), from.region(rank));
    else
      builder.get(kCopyLane0, to.region(rank), from.region(partner(rank)));
  }
  return builder.finish({mesh, {Reshard{type, type}}, holdings_of(from, type.name), holdings_of(to, type.name), true});
}

}  // namespace

Schedule exchange_pairs(const ArrayType& type, const Mesh& mesh, int axis) {
  check(type, mesh, axis);
  return exchange(type, mesh, [&](int rank) {
    const int partner = mesh.coordinate(rank, axis) ^ 1;
    return partner < mesh.size(axis) ? mesh.with_coordinate(rank, axis, partner) : rank;
  });
}

Schedule shift(const ArrayType& type, const Mesh& mesh, int axis, std::int64_t distance) {
  check(type, mesh, axis);
  return exchange(type, mesh, [&](int rank) {
    const std::int64_t size = mesh.size(axis);
    const std::int64_t source = (mesh.coordinate(rank, axis) - distance % size + size) % size;
    return mesh.with_coordinate(rank, axis, static_cast<int>(source));
  });
}

}  // namespace meshmul
