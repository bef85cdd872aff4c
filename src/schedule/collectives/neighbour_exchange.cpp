// Every rank gets the shard of one other rank.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
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

// The rank whose shard `rank` gets.
int source_of(Exchange exchange, const Mesh& mesh, int rank, int axis, std::int64_t distance) {
  const std::int64_t size = mesh.size(axis);
  const std::int64_t at = mesh.coordinate(rank, axis);
  std::int64_t source = at;
  switch (exchange) {
    case Exchange::kPairs:
      if ((at ^ 1) < size) source = at ^ 1;
      break;
    case Exchange::kShift: source = (at - distance % size + size) % size; break;
  }
  return mesh.with_coordinate(rank, axis, static_cast<int>(source));
}

// In the order of Exchange.
constexpr auto kNames = std::to_array<std::string_view>({"exchange_pairs", "shift"});

constexpr auto kExchanges = [] {
  std::array<Exchange, kNames.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Exchange>(i);
  return all;
}();

}  // namespace

std::string_view name(Exchange exchange) { return kNames[static_cast<std::size_t>(exchange)]; }

std::span<const Exchange> exchanges() { return kExchanges; }

Schedule build_exchange(Exchange exchange, const ArrayType& type, const Mesh& mesh, int axis, std::int64_t distance) {
  check(type, mesh, axis);
  ScheduleBuilder builder(mesh);
  const std::string name = type.name.empty() ? "A" : type.name;
  const PlacedArray from = place(builder, name, type);
  const auto source = [&](int rank) { return source_of(exchange, mesh, rank, axis, distance); };
  std::vector<Box> boxes;
  for (int rank = 0; rank < mesh.num_devices(); ++rank) boxes.push_back(from.held(source(rank)));
  const PlacedArray to = place_boxes(builder, name + ".out", type, std::move(boxes));
  for (int rank = 0; rank < mesh.num_devices(); ++rank) {
    if (source(rank) == rank)
      builder.copy(to.region(rank), from.region(rank));
    else
      builder.get(kCopyLane0, to.region(rank), from.region(source(rank)));
  }
  return builder.finish(
      {mesh, {Statement(Reshard{type, type})}, holdings_of(from, type.name), holdings_of(to, type.name), true});
}

}  // namespace meshmul
