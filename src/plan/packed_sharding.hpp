#pragma once
// Shardings in a few machine words, for the search: axes of size 1 are left out, the others are numbered in the order
// of their names, so that comparing packed shardings compares {U_…} and then their texts.

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <vector>

#include "meshmul/box.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/sharding.hpp"

namespace meshmul {

/// A set of numbered axes, one bit each.
using AxisSet = std::uint32_t;

/// Most axes longer than 1 that a mesh may have for planning: the search visits every sharding, and with six axes a
/// matrix has some ten thousand.
inline constexpr int kMaxLongAxes = 6;
inline constexpr int kNumAxisSets = 1 << kMaxLongAxes;

/// The axes that cut one dimension.
struct DimAxes {
  /// 1 + number of each axis in four bits, the major one in the highest.
  std::uint32_t order = 0;
  /// In byte p the set of the first p axes, so that the common ones of two dimensions are found without a branch; in the
  /// highest byte all.
  std::uint64_t major_sets = 0;

  AxisSet set() const { return static_cast<AxisSet>(major_sets >> 56U); }
  int num_axes() const { return std::popcount(set()); }
  /// The axes that are not among the major ones that both have.
  AxisSet not_shared_with(const DimAxes& other) const {
    const auto num_shared = static_cast<unsigned>(std::countl_zero((order ^ other.order) | 1U)) / 4U;
    return set() & ~static_cast<AxisSet>(major_sets >> 8U * num_shared & 0xFFU);
  }
  /// Puts axis `number`, which must be new, at the minor end.
  void append(int number) {
    const auto place = static_cast<unsigned>(num_axes());
    order |= static_cast<std::uint32_t>(number + 1) << (28U - 4U * place);
    major_sets |= (0x0101'0101'0101'0100U << 8U * place) << static_cast<unsigned>(number);
  }
  auto operator<=>(const DimAxes&) const = default;
};

struct PackedSharding {
  AxisSet unreduced = 0;
  std::array<DimAxes, kMaxDims> dims{};
  AxisSet cut = 0;  ///< all axes that cut a dimension

  auto operator<=>(const PackedSharding&) const = default;
};

/// Every sharding of `num_dims` dimensions over `axes`, of which those in `may_be_unreduced` may also be unreduced;
/// sorted, so that those with the same {U_…} stand together. A matrix has 3, 11, 49, 261 over 1, 2, 3, 4 axes.
std::vector<PackedSharding> all_shardings(int num_dims, AxisSet axes, AxisSet may_be_unreduced);

/// Numbers the axes of a mesh that are longer than 1.
class AxisNumbering {
 public:
  /// Keeps a reference to `mesh`. Throws Error(kInvalidArgument) if it has more than kMaxLongAxes of them.
  explicit AxisNumbering(const Mesh& mesh);

  const Mesh& mesh() const { return mesh_; }
  AxisSet all() const { return (1U << sizes_.size()) - 1U; }
  const std::vector<std::int64_t>& sizes() const { return sizes_; }
  /// Product of the sizes of `axes`.
  std::int64_t size(AxisSet axes) const { return set_sizes_[axes]; }

  /// Axes of size 1 are dropped. Throws Error(kInvalidArgument) if an axis occurs twice or does not exist.
  PackedSharding pack(const Sharding& sharding) const;
  Sharding unpack(const PackedSharding& packed, int num_dims) const;
  /// Mesh axes in mesh order.
  std::vector<int> unpack(AxisSet axes) const;

 private:
  AxisSet set_of(int mesh_axis) const { return number_of_[static_cast<std::size_t>(mesh_axis)]; }

  const Mesh& mesh_;
  std::vector<int> mesh_axis_of_;   // by number
  std::vector<AxisSet> number_of_;  // by mesh axis: the set of that axis alone; empty for an axis of size 1
  std::vector<std::int64_t> sizes_;
  std::array<std::int64_t, kNumAxisSets> set_sizes_{};
};

}  // namespace meshmul
