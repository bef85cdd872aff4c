// Two slots, rounds of two rows, shards of five rows (a0 are the first two rows of rank a's shard). Rank 0 multiplies its own
// shard, and in each round what the round before brought:
//
//     round   slot 0            slot 1            multiplied
//      0      b0 c0 d0 arrive                     a
//      1      (read)            b1 c1 d1 arrive   b0 c0 d0
//      2      b2 c2 d2 arrive   (read)            b1 c1 d1
//      -                                          b2 c2 d2, of one row each

#include "push.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../collectives/holders.hpp"
#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

// What one rank gets of one peer, round after round.
struct Delivery {
  int rank = 0;
  int holder = 0;
  std::size_t number = 0;  // among those of the rank
  std::vector<Box> rounds;
};

// One buffer for each slot and each delivery of a rank, with room for the longest round.
class Slots {
 public:
  Slots(ScheduleBuilder& builder, const std::string& name, const ArrayType& type,
        const std::vector<Delivery>& deliveries, int slots)
      : slots_(static_cast<std::size_t>(slots)) {
    std::vector<std::vector<Box>> firsts;  // by number of the delivery, then by rank: its first round
    for (const Delivery& delivery : deliveries) {
      const Box none(std::vector<Interval>(static_cast<std::size_t>(type.num_dims())));
      while (firsts.size() <= delivery.number) firsts.emplace_back(static_cast<std::size_t>(builder.num_ranks()), none);
      firsts[delivery.number][static_cast<std::size_t>(delivery.rank)] = delivery.rounds.front();
    }
    for (std::size_t slot = 0; slot < slots_; ++slot)
      for (std::size_t number = 0; number < firsts.size(); ++number)
        buffers_.push_back(
            place_boxes(builder, fmt::format("{}.slot{}.{}", name, slot, number), type, firsts[number]).buffer);
    num_deliveries_ = firsts.size();
  }

  Region at(const Delivery& delivery, int round) const {
    const std::size_t slot = static_cast<std::size_t>(round) % slots_;
    return {delivery.rank, buffers_[slot * num_deliveries_ + delivery.number],
            delivery.rounds[static_cast<std::size_t>(round)].at_origin()};
  }

 private:
  std::size_t slots_;
  std::size_t num_deliveries_ = 0;
  std::vector<int> buffers_;
};

}  // namespace

PushedOperand::PushedOperand(ScheduleBuilder& builder, const std::string& name, const PlacedArray& from,
                             const ArrayType& to, std::int64_t rows_per_round, int slots)
    : own_(static_cast<std::size_t>(builder.num_ranks())) {
  const int dim = moving_dim(from.type, to);
  std::vector<Delivery> deliveries;
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    std::size_t number = 0;
    for (const auto& [holder, part] : holders_of(builder.mesh(), from, rank, local_box(to, builder.mesh(), rank))) {
      if (holder == rank)
        own_[static_cast<std::size_t>(rank)].push_back({part, from.region(rank, part)});
      else
        deliveries.push_back({rank, holder, number++, cut_in_rounds(part, dim, rows_per_round)});
    }
  }
  for (const Delivery& delivery : deliveries)
    num_rounds_ = std::max(num_rounds_, static_cast<int>(delivery.rounds.size()));
  const Slots places(builder, name, from.type, deliveries, std::min(slots, std::max(num_rounds_, 1)));
  const Pieces nothing(static_cast<std::size_t>(builder.num_ranks()));
  landing_.assign(static_cast<std::size_t>(num_rounds_), nothing);
  sources_ = landing_;
  for (const Delivery& delivery : deliveries)
    for (int round = 0; round < static_cast<int>(delivery.rounds.size()); ++round) {
      const Box& part = delivery.rounds[static_cast<std::size_t>(round)];
      const auto rank = static_cast<std::size_t>(delivery.rank);
      landing_[static_cast<std::size_t>(round)][rank].push_back({part, places.at(delivery, round)});
      sources_[static_cast<std::size_t>(round)][rank].push_back({part, from.region(delivery.holder, part)});
    }
}

Pieces PushedOperand::all() const {
  Pieces all = own_;
  for (const Pieces& round : landing_)
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      all[rank].insert(all[rank].end(), round[rank].begin(), round[rank].end());
  return all;
}

void PushedOperand::put(ScheduleBuilder& builder, int round) const {
  const Pieces& to = landing(round);
  const Pieces& from = sources_[static_cast<std::size_t>(round)];
  for (std::size_t rank = 0; rank < to.size(); ++rank)
    for (std::size_t i = 0; i < to[rank].size(); ++i) builder.put(kCopyLane0, to[rank][i].where, from[rank][i].where);
}

}  // namespace meshmul
