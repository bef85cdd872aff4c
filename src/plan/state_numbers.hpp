#pragma once
// Finds the number of a sharding among many.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "plan/packed_sharding.hpp"

namespace meshmul {

/// A table with open addressing, at most half full.
class StateNumbers {
 public:
  /// Keeps a reference to `states`, which are all different.
  explicit StateNumbers(std::span<const PackedSharding> states)
      : states_(states), slots_(std::bit_ceil(2 * states.size() + 1), kEmpty) {
    for (std::size_t number = 0; number < states.size(); ++number)
      slots_[slot_of(states[number])] = static_cast<int>(number);
  }

  /// -1 if it is none of them.
  int find(const PackedSharding& sharding) const { return slots_[slot_of(sharding)]; }

 private:
  static constexpr int kEmpty = -1;

  static std::uint64_t hash(const PackedSharding& sharding) {
    std::uint64_t hash = sharding.unreduced;
    for (const DimAxes& dim : sharding.dims) hash = (std::rotl(hash, 29) ^ dim.order) * 0x9E37'79B9'7F4A'7C15U;
    return hash >> 32U;
  }

  /// Where `sharding` stands, or would.
  std::size_t slot_of(const PackedSharding& sharding) const {
    std::size_t slot = hash(sharding) & (slots_.size() - 1);
    while (slots_[slot] != kEmpty && states_[static_cast<std::size_t>(slots_[slot])] != sharding)
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  std::span<const PackedSharding> states_;
  std::vector<int> slots_;
};

}  // namespace meshmul
