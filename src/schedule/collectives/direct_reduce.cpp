// Every rank adds up its own block from all ranks that hold a term of it, its own first. Where the result is
// replicated, the ranks that want the same block share it: each adds up a part, then gets the parts of the others. On X=2,
// as sums over ranks:
//
//     rank   before     ReduceScatter      AllReduce: first      then
//      0     a0 b0      a0+a1  .           a0+a1  .              a0+a1  b1+b0
//      1     a1 b1      .      b1+b0       .      b1+b0          a0+a1  b1+b0

#include <algorithm>

#include "../dimension_order.hpp"
#include "collectives.hpp"
#include "cut.hpp"

namespace meshmul {
namespace {

// Sums of `to` that would be rounded more than once on the way are built in the accumulator dtype. Two terms are added
// with one rounding anyway.
bool needs_accumulator(const PlacedArray& from, const PlacedArray& to, std::size_t num_terms) {
  return to.type.dtype != accumulator_of(to.type.dtype) && (num_terms > 2 || from.type.dtype != to.type.dtype);
}

// The ranks whose terms `rank` adds up, in the order in which it does: itself, then the next higher ones, round the end, so
// that the ranks do not all turn to one peer. A scalar is added up by everybody, and alike: in the order of ranks.
std::vector<int> holders_in_order(const Mesh& mesh, int rank, const ReductionGroups& groups, int num_dims) {
  std::vector<int> holders = mesh.group(rank, groups.summed);
  if (num_dims > 0)
    std::rotate(holders.begin(), holders.begin() + mesh.group_index(rank, groups.summed), holders.end());
  return holders;
}

// `part` is a box of the sum, which may have its dimensions in another order than the terms. All terms are awaited before the
// first is read, so that an executor can add them up in one go.
void add_up(ScheduleBuilder& builder, const PlacedArray& from, const std::vector<int>& holders, const Box& part,
            const Region& sum, const DimensionOrder& order) {
  const Box terms = order.in_source(part);
  builder.together([&] {
    builder.copy(sum, from.region(holders.front(), terms), order.permutation());
    for (std::size_t i = 1; i < holders.size(); ++i)
      builder.reduce(sum, from.region(holders[i], terms), order.permutation());
  });
}

}  // namespace

void direct_reduce(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to) {
  const Mesh& mesh = builder.mesh();
  const ReductionGroups groups = reduction_groups(from.type, to.type);
  const std::vector<Box> shares = shares_of_work(mesh, to, groups);

  const DimensionOrder order(to.type, from.type);
  PlacedArray sums = to;
  const bool through_accumulator = needs_accumulator(from, to, static_cast<std::size_t>(mesh.size(groups.summed)));
  if (through_accumulator) {
    ArrayType type = to.type;
    type.dtype = accumulator_of(type.dtype);
    sums = place_boxes(builder, builder.buffer(to.buffer).name + ".sum", type, shares);
  }
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    const Box& share = shares[static_cast<std::size_t>(rank)];
    if (share.empty()) continue;
    const std::vector<int> holders = holders_in_order(mesh, rank, groups, to.type.num_dims());
    add_up(builder, from, holders, share, sums.region(rank, share), order);
    if (through_accumulator) builder.copy(to.region(rank, share), sums.region(rank, share));
  }
  get_shares(builder, to, shares, groups);
}

void get_shares(ScheduleBuilder& builder, const PlacedArray& to, const std::vector<Box>& shares,
                const ReductionGroups& groups) {
  const Mesh& mesh = builder.mesh();
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    std::vector<int> sharers = mesh.group(rank, groups.replicated);
    // Each begins with its next neighbour, so that they do not all turn to one peer.
    std::rotate(sharers.begin(), sharers.begin() + mesh.group_index(rank, groups.replicated), sharers.end());
    for (std::size_t i = 1; i < sharers.size(); ++i) {
      const Box& share = shares[static_cast<std::size_t>(sharers[i])];
      builder.get(kCopyLane0, to.region(rank, share), to.region(sharers[i], share));
    }
  }
}

}  // namespace meshmul
