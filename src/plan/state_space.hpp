#pragma once
// Every sharding that one array may have on the way, and what a shard of each takes. Nothing here depends on the machine.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meshmul/array_type.hpp"
#include "plan/packed_sharding.hpp"
#include "plan/state_numbers.hpp"

namespace meshmul {

/// Elements of the largest block of one dimension, by the axes that cut it. The order of the axes does not matter:
/// ceil(ceil(n / a) / b) = ceil(n / (a b)).
class Extents {
 public:
  Extents(std::int64_t size, const AxisNumbering& axes);
  double operator[](AxisSet cut) const { return extents_[cut]; }

 private:
  std::array<double, kNumAxisSets> extents_{};
};

/// Sums that are still to be completed may travel in a wider dtype than the array has in the end.
struct ElementType {
  Dtype partial = Dtype::kF32;
  Dtype complete = Dtype::kF32;
  AxisSet kept_unreduced = 0;  ///< axes over which the array stays partial: nothing is still to be added along them

  Dtype of(const PackedSharding& sharding) const {
    return (sharding.unreduced & ~kept_unreduced) != 0 ? partial : complete;
  }
};

class StateSpace {
 public:
  /// The states of `array`, whatever its own sharding; axes in `may_be_unreduced` may be in {U_…}. The references must
  /// outlive it. The last move gives its result the dimensions in `last_order`, by their places in `array`; none: as
  /// they are.
  StateSpace(const ArrayType& array, ElementType element_type, AxisSet may_be_unreduced, const AxisNumbering& axes,
             std::vector<std::size_t> last_order = {});
  StateSpace(const StateSpace&) = delete;
  StateSpace& operator=(const StateSpace&) = delete;

  const AxisNumbering& axes() const { return axes_; }
  int num_dims() const { return array_.num_dims(); }
  AxisSet kept_unreduced() const { return element_type_.kept_unreduced; }

  int size() const { return static_cast<int>(states_.size()); }
  const PackedSharding& sharding(int state) const { return states_[index(state)]; }
  Dtype dtype(int state) const { return element_type_.of(sharding(state)); }
  double bytes(int state) const { return bytes_[index(state)]; }
  std::span<const PackedSharding> shardings() const { return states_; }
  std::span<const double> bytes() const { return bytes_; }
  /// Elements of the largest shard along `dim`.
  double extent(int state, std::size_t dim) const { return extents_[dim][sharding(state).dims[dim].set()]; }
  /// The places of dimensions in what a move makes: as in the array, or, if it is the last, as it was asked for.
  const std::vector<std::size_t>& order(bool is_last) const { return is_last ? last_order_ : order_; }
  /// The number of `sharding`; -1 if it is none of the states.
  int find(const PackedSharding& sharding) const { return numbers_.find(sharding); }
  /// States without partial sums.
  std::vector<int> complete_states() const;

  /// The array in `state`, in full.
  ArrayType type(int state) const;

 private:
  static std::vector<Extents> extents(const ArrayType& array, const AxisNumbering& axes);
  std::vector<double> all_bytes() const;
  static std::size_t index(int state) { return static_cast<std::size_t>(state); }

  const ArrayType& array_;
  ElementType element_type_;
  const AxisNumbering& axes_;
  std::vector<std::size_t> order_, last_order_;
  std::vector<PackedSharding> states_;
  StateNumbers numbers_;
  std::vector<Extents> extents_;  // by dimension
  std::vector<double> bytes_;     // by state
};

}  // namespace meshmul
