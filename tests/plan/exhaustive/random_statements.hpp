#pragma once
// Small meshes, machines and statements for the exhaustive planner, drawn from a fixed seed.

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/plan.hpp"
#include "notation/collective_type.hpp"

namespace meshmul::testing {

/// Every mesh of one, two or three axes with so many devices: those of 4 are 4; 1,4; 2,2; 4,1; 1,1,4; 1,2,2; …
inline std::vector<Mesh> meshes_of(std::int64_t num_devices) {
  std::vector<Mesh> meshes{{{"X", num_devices}}};
  for (std::int64_t x = 1; x <= num_devices; ++x) {
    if (num_devices % x != 0) continue;
    meshes.push_back({{"X", x}, {"Y", num_devices / x}});
    for (std::int64_t y = 1; y <= num_devices / x; ++y)
      if (num_devices / x % y == 0) meshes.push_back({{"X", x}, {"Y", y}, {"Z", num_devices / x / y}});
  }
  return meshes;
}

inline int num_long_axes(const Mesh& mesh) {
  return static_cast<int>(
      std::count_if(mesh.axes().begin(), mesh.axes().end(), [](const MeshAxis& axis) { return axis.size > 1; }));
}

class RandomStatements {
 public:
  explicit RandomStatements(unsigned seed) : random_(seed) {}

  /// From `low` to `high`, both included.
  int pick(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }

  /// Rates at which bytes, hops, arithmetic or memory may decide.
  void draw_rates(Hardware& hardware) {
    hardware.chip.flops_per_second[Dtype::kF64] = pick(1, 4) * 1e6;  // and of every other dtype
    hardware.chip.memory_bytes_per_second = pick(1, 4) * 1e6;
    hardware.chip.matrix_unit = std::int64_t{1} << pick(0, 4);
    hardware.network.link_bytes_per_second = pick(1, 9) * 1e4;
    hardware.network.hop_seconds = pick(1, 9) * 1e-4;
  }

  Statement statement(const Mesh& mesh) {
    switch (pick(0, 5)) {
      case 0: return reshard(mesh);
      case 1: return collective(mesh);
      default: return product(mesh);
    }
  }

  Product product(const Mesh& mesh) {
    static const std::vector<std::vector<const char*>> kEinsums{
        {"IJ", "JK", "IK"}, {"IJ", "JK", "KI"}, {"JI", "JK", "IK"}, {"GIJ", "GJK", "GIK"}, {"IG", "G", "GI"},
        {"IJ", "K", "IJK"}, {"J", "J", ""},     {"IJL", "JL", "I"}, {"IJ", "J", "I"},
    };
    const auto& letters = kEinsums[static_cast<std::size_t>(pick(0, pick(0, 2) == 0 ? 8 : 0))];
    const Dtype dtype = draw_dtype();
    sizes_.clear();
    return {array("A", dtype, letters[0], mesh), array("B", dtype, letters[1], mesh),
            array("C", product_dtype(dtype), letters[2], mesh)};
  }

  Reshard reshard(const Mesh& mesh) {
    static const std::vector<std::pair<const char*, const char*>> kChanges{
        {"IJ", "IJ"}, {"IJ", "JI"}, {"I", "I"}, {"", ""}, {"IJK", "KIJ"}};
    const auto& letters = kChanges[static_cast<std::size_t>(pick(0, 4))];
    const Dtype dtype = draw_dtype();
    sizes_.clear();
    return {array("A", dtype, letters.first, mesh), array("A", dtype, letters.second, mesh)};
  }

  /// A change of sharding where the array that was drawn allows no collective.
  Statement collective(const Mesh& mesh) {
    sizes_.clear();
    Collective drawn;
    drawn.kind = static_cast<CollectiveKind>(pick(0, 3));
    drawn.from = array("A", draw_dtype(), "IJ", mesh);
    drawn.from.open = false;
    if (drawn.kind == CollectiveKind::kReduceScatter || drawn.kind == CollectiveKind::kAllToAll) drawn.dim = pick(0, 1);
    if (drawn.kind == CollectiveKind::kAllGather || drawn.kind == CollectiveKind::kAllToAll) {
      for (int dim = 0; dim < 2; ++dim)
        for (std::vector<int> axes = drawn.from.sharding.dims[static_cast<std::size_t>(dim)];
             dim != drawn.dim && !axes.empty() && pick(0, 3) > 0; axes.pop_back())
          drawn.axes.push_back(axes.back());
    } else {
      for (const int axis : drawn.from.sharding.unreduced)
        if (pick(0, 3) > 0) drawn.axes.insert(drawn.axes.begin() + pick(0, static_cast<int>(drawn.axes.size())), axis);
    }
    if (drawn.axes.empty()) return reshard(mesh);
    drawn.to = notation::collective_result(drawn.kind, drawn.axes, drawn.dim, drawn.from);
    return drawn;
  }

 private:
  Dtype draw_dtype() {
    constexpr Dtype kDtypes[] = {Dtype::kF32, Dtype::kF32, Dtype::kBf16, Dtype::kF64, Dtype::kI8, Dtype::kF8e4m3};
    return kDtypes[pick(0, 5)];
  }

  ArrayType array(const char* name, Dtype dtype, const std::string& indices, const Mesh& mesh) {
    ArrayType type{name, dtype, {}, Sharding::replicated(static_cast<int>(indices.size())), false};
    for (const char index : indices) {
      if (!sizes_.contains(index)) sizes_[index] = pick(1, 40);
      type.dims.push_back({std::string(1, index), sizes_[index]});
    }
    if (pick(0, 6) == 0) {
      type.open = true;
      return type;
    }
    std::vector<int> axes;
    for (int axis = 0; axis < mesh.num_axes(); ++axis)
      axes.insert(axes.begin() + pick(0, static_cast<int>(axes.size())), axis);
    for (const int axis : axes) {
      const int place = pick(0, type.num_dims() + 1);
      if (place < type.num_dims()) type.sharding.dims[static_cast<std::size_t>(place)].push_back(axis);
      if (place == type.num_dims() && pick(0, 2) == 0) type.sharding.unreduced.push_back(axis);
    }
    std::sort(type.sharding.unreduced.begin(), type.sharding.unreduced.end());
    return type;
  }

  std::mt19937 random_;
  std::map<char, std::int64_t> sizes_;
};

}  // namespace meshmul::testing
