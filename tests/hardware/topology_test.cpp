#include "meshmul/topology.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "hardware/slices.hpp"
#include "hardware/torus_mapping.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

constexpr TopologyRule kRules[] = {TopologyRule::kSlice, TopologyRule::kWrap, TopologyRule::kLine};

/// `[4- 4-][16o]`: by mesh axis, lines and rings; `[2x8][4x1]`: nodes x devices of each.
std::string text(const Topology& topology) {
  std::string text;
  for (const std::vector<TorusAxis>& axes : topology.torus) {
    text += '[';
    for (const TorusAxis& axis : axes)
      text += (text.back() == '[' ? "" : " ") + std::to_string(axis.size) + (axis.wraps ? "o" : "-");
    text += ']';
  }
  for (std::size_t axis = 0; axis < topology.in_node.size(); ++axis)
    text += "[" + std::to_string(topology.across_nodes[axis]) + "x" + std::to_string(topology.in_node[axis]) + "]";
  return text;
}

using Texts = std::vector<std::string>;

/// Slice, mapping and topology of every placement.
Texts placed(const std::string& mesh_text, const std::string& hardware, TopologyRule rule = TopologyRule::kSlice) {
  const Mesh mesh = parse_mesh(mesh_text);
  Texts texts;
  for (const Placement& placement : placements(mesh, find_hardware(hardware), rule))
    texts.push_back(slice_text(placement.slice) + " " + to_string(placement.mapping, mesh) + " " +
                    text(placement.topology));
  return texts;
}

std::string resolved(const std::string& mapping, const std::string& mesh_text, const std::string& hardware,
                     TopologyRule rule = TopologyRule::kSlice) {
  const Mesh mesh = parse_mesh(mesh_text);
  const Hardware found = find_hardware(hardware);
  return text(resolve(parse_mapping(mapping, mesh, found, rule), mesh, found, rule));
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

struct Placed {
  std::string mesh, hardware;
  Texts placements;
};

TEST(Topology, AMeshLiesOnATorusInEveryWayThatDiffers) {
  const std::vector<Placed> cases = {
      {"X=4,Y=4", "v5e:4x4", {"4x4 X=0,Y=1 [4-][4-]"}},
      {"X=4,Y=4", "v5e", {"4x4 X=0,Y=1 [4-][4-]"}},
      {"X=8,Y=16", "v5e:16x8", {"16x8 X=1,Y=0 [8-][16o]"}},
      {"X=8,Y=16", "v5e", {"8x16 X=0,Y=1 [8-][16o]"}},
      {"X=128", "v5e", {"8x16 X=0+1 [8- 16o]", "8x16 X=ring(0+1) [128o]"}},
      {"X=16,Y=1", "v5e:4x4", {"4x4 X=0+1 [4- 4-][]", "4x4 X=ring(0+1) [16o][]"}},
      {"X=4,Y=4,Z=4", "v4p:4x4x4", {"4x4x4 X=0,Y=1,Z=2 [4o][4o][4o]"}},
      {"X=16,Y=4", "v4p:4x4x4", {"4x4x4 X=0+1,Y=2 [4o 4o][4o]", "4x4x4 X=ring(0+1),Y=2 [16o][4o]"}},
      {"X=64", "v5p", {"4x4x4 X=0+1+2 [4o 4o 4o]", "4x4x4 X=ring(0+1+2) [64o]"}},
      {"X=8,Y=4", "v5p", {"2x4x4 X=0+1,Y=2 [2- 4-][4-]", "2x4x4 X=ring(0+1),Y=2 [8o][4-]"}},
      {"X=4", "v5p", {"1x2x2 X=1+2 [2- 2-]", "1x2x2 X=ring(1+2) [4o]"}},
      // 4x8x8 has no room for two axes of 16. A ring through 0 and 1 beside axis 2 is the same torus for both.
      {"X=16,Y=16",
       "v5p",
       {"4x4x16 X=0+1,Y=2 [4o 4o][16o]", "4x4x16 X=ring(0+1),Y=2 [16o][16o]", "4x4x16 X=2,Y=0+1 [16o][4o 4o]"}},
      // Two slices of 256.
      {"X=32,Y=8", "v5p:4x8x8", {"4x8x8 X=0+1,Y=2 [4o 8o][8o]", "4x8x8 X=ring(0+1),Y=2 [32o][8o]"}},
      {"X=4,Y=64",
       "v5p",
       {"4x4x16 X=0,Y=1+2 [4o][4o 16o]", "4x4x16 X=0,Y=ring(1+2) [4o][64o]", "4x8x8 X=0,Y=1+2 [4o][8o 8o]"}},
  };
  for (const Placed& c : cases) EXPECT_EQ(placed(c.mesh, c.hardware), c.placements) << c.mesh << ' ' << c.hardware;
}

TEST(Topology, AMeshDividesNodesRowMajorFirst) {
  const std::vector<Placed> cases = {
      {"X=2,Y=4", "h100", {"8 X=1,Y=1 [1x2][1x4]"}},
      {"X=7", "cpu", {"7 X=1 [1x7]"}},
      {"X=4,Y=8", "h100", {"4x8 X=0,Y=1 [4x1][1x8]", "4x8 X=1,Y=0+1 [1x4][4x2]"}},
      {"X=16", "h100", {"2x8 X=0+1 [2x8]"}},
      {"X=4,Y=4", "h100", {"2x8 X=0+1,Y=1 [2x2][1x4]", "2x8 X=1,Y=0+1 [1x4][2x2]"}},
      {"X=6", "h100:2x3", {"2x3 X=0+1 [2x3]"}},
      {"X=6,Y=6", "h100:9x4", {"9x4 X=0+1,Y=0+1 [3x2][3x2]"}},
      {"X=144", "gb200", {"2x72 X=0+1 [2x72]"}},
      {"", "cpu", {"1  "}},
  };
  for (const Placed& c : cases) EXPECT_EQ(placed(c.mesh, c.hardware), c.placements) << c.mesh << ' ' << c.hardware;
}

TEST(Topology, WithoutASliceEachMeshAxisIsOneOfItsOwnByTheRulesThatNeedNone) {
  EXPECT_EQ(placed("X=3,Y=1,Z=50", "v5e", TopologyRule::kWrap), Texts{"  [3o][][50o]"});
  EXPECT_EQ(placed("X=3,Y=5", "v5p", TopologyRule::kLine), Texts{"  [3-][5-]"});
  EXPECT_EQ(placed("X=1", "v5p"), Texts{"  []"});
  EXPECT_EQ(placed("", "v5p"), Texts{"  "});
  EXPECT_EQ(placed("X=16", "h100", TopologyRule::kWrap), Texts{"2x8 X=0+1 [2x8]"});
}

TEST(Topology, TheRuleDecidesWhatWrapsOnASlice) {
  EXPECT_EQ(resolved("X=0,Y=1", "X=4,Y=4", "v5e:4x4"), "[4-][4-]");
  EXPECT_EQ(resolved("X=0,Y=1", "X=4,Y=4", "v5e:4x4", TopologyRule::kWrap), "[4o][4o]");
  EXPECT_EQ(resolved("X=0,Y=1+2", "X=4,Y=16", "v4p:4x4x4", TopologyRule::kLine), "[4-][4- 4-]");
  EXPECT_EQ(resolved("X=ring(0+1)", "X=16", "v5e:4x4", TopologyRule::kLine), "[16o]");
}

TEST(Topology, ATorusOfAProfileThatSaysNothingOfSlicesTakesAnyMesh) {
  Hardware toy = find_hardware("v5e");
  toy.network.slices = {};
  const std::vector<Placement> found = placements({{"X", 5}, {"Y", 16}}, toy, TopologyRule::kSlice);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(text(found[0].topology), "[5-][16o]");
  EXPECT_EQ(resolve({}, {{"X", 5}, {"Y", 16}}, toy, TopologyRule::kSlice), found[0].topology);
  toy.slice = {5, 4, 4};
  EXPECT_EQ(placements({{"X", 5}, {"Y", 16}}, toy, TopologyRule::kSlice).size(), 2U);
}

TEST(Topology, AnAxisOfSize1DoesNotSpoilARuleForWholeSlices) {
  Hardware toy = find_hardware("v4p");
  toy.network.slices = {};
  EXPECT_EQ(text(placements({{"X", 4}, {"Y", 1}, {"Z", 8}}, toy, TopologyRule::kSlice)[0].topology), "[4o][][8o]");
  EXPECT_EQ(text(placements({{"X", 4}, {"Y", 2}}, toy, TopologyRule::kSlice)[0].topology), "[4-][2-]");
}

TEST(Topology, WhatDoesNotFitIsRefusedWithTheNearest) {
  const auto message = [](const std::string& mesh, const std::string& hardware) {
    return message_of([&] { placements(parse_mesh(mesh), find_hardware(hardware), TopologyRule::kSlice); });
  };
  EXPECT_EQ(message("X=12", "v5e"),
            "v5e comes in no slice of 12 devices, as the mesh X=12 has; the nearest are 2x4 (8 devices) and 4x4 (16 "
            "devices)");
  EXPECT_EQ(message("X=12", "h100"),
            "h100 comes in no slice of 12 devices, as the mesh X=12 has; the nearest are 8 (8 devices) and 2x8 (16 "
            "devices); as parts of nodes it is h100:2x6");
  EXPECT_EQ(
      message("X=13", "h100"),
      "h100 comes in no slice of 13 devices, as the mesh X=13 has; the nearest are 8 (8 devices) and 2x8 (16 devices)");
  EXPECT_EQ(message("X=8,Y=2", "v5e"),
            "the mesh X=8,Y=2 does not lie on a slice 4x4 of v5e: a mesh axis takes whole hardware axes, and they are "
            "never shared; expected a mesh such as X=16,Y=1 or X=4,Y=4");
  EXPECT_EQ(message("X=8,Y=2", "v5e:4x4"),
            "the mesh X=8,Y=2 does not lie on a slice 4x4 of v5e: a mesh axis takes whole hardware axes, and they are "
            "never shared; expected a mesh such as X=16,Y=1 or X=4,Y=4");
  EXPECT_EQ(message("X=2,Y=2,Z=4", "v5e:4x4"),
            "the mesh X=2,Y=2,Z=4 does not lie on a slice 4x4 of v5e: a mesh axis takes whole hardware axes, and they "
            "are never shared; expected a mesh such as X=4,Y=1,Z=4 or X=1,Y=4,Z=4");
  EXPECT_EQ(message("X=32,Y=4,Z=2", "v5p"),
            "the mesh X=32,Y=4,Z=2 does not lie on a slice 4x4x16 or 4x8x8 of v5p: a mesh axis takes whole hardware "
            "axes, and they are never shared; expected a mesh such as X=64,Y=4,Z=1, X=16,Y=4,Z=4 or X=32,Y=8,Z=1");
  EXPECT_EQ(message("X=8", "v5e:4x4"), "the mesh X=8 has 8 devices; expected 16, as the slice 4x4 of v5e has");
  EXPECT_EQ(message("X=9000", "v5p"),
            "the mesh X=9000 has 9000 devices; expected at most 8960, the largest slice of v5p (16x20x28)");
}

/// All cycles by brute force: whether a path from device 0 through all others ends beside it.
class CycleSearch {
 public:
  explicit CycleSearch(std::vector<TorusAxis> grid) : grid_(std::move(grid)) {
    for (const TorusAxis& axis : grid_) num_devices_ *= axis.size;
    seen_.assign(static_cast<std::size_t>(num_devices_), false);
  }

  bool found() {
    seen_[0] = true;
    return walk(0, 1);
  }

 private:
  std::set<std::int64_t> neighbours(std::int64_t device) const {
    std::set<std::int64_t> found;
    std::int64_t stride = 1;
    for (const TorusAxis& axis : grid_) {
      const std::int64_t coordinate = device / stride % axis.size;
      for (const std::int64_t step : {-1, 1}) {
        std::int64_t next = coordinate + step;
        if (axis.wraps) next = (next + axis.size) % axis.size;
        if (next >= 0 && next < axis.size && next != coordinate) found.insert(device + (next - coordinate) * stride);
      }
      stride *= axis.size;
    }
    return found;
  }

  bool walk(std::int64_t device, std::int64_t num_seen) {
    for (const std::int64_t next : neighbours(device)) {
      if (num_seen == num_devices_ && next == 0) return true;
      if (seen_[static_cast<std::size_t>(next)]) continue;
      seen_[static_cast<std::size_t>(next)] = true;
      if (walk(next, num_seen + 1)) return true;
      seen_[static_cast<std::size_t>(next)] = false;
    }
    return false;
  }

  std::vector<TorusAxis> grid_;
  std::int64_t num_devices_ = 1;
  std::vector<bool> seen_;
};

TEST(Topology, AGridHasACycleIfOneIsFoundByTrying) {
  const std::vector<std::vector<std::int64_t>> sizes = {{2, 2}, {2, 3}, {3, 3},    {3, 4},    {3, 5},
                                                        {4, 4}, {2, 7}, {2, 2, 2}, {2, 3, 3}, {1, 4, 3}};
  for (const std::vector<std::int64_t>& slice : sizes)
    for (unsigned rings = 0; rings < 1U << slice.size(); ++rings) {
      std::vector<TorusAxis> grid;
      for (std::size_t axis = 0; axis < slice.size(); ++axis)
        grid.push_back({slice[axis], slice[axis] > 1 && (rings >> axis & 1U) != 0});
      EXPECT_EQ(has_cycle(grid), CycleSearch(grid).found()) << slice_text(slice) << " rings " << rings;
    }
  EXPECT_FALSE(has_cycle({{4, false}}));
  EXPECT_TRUE(has_cycle({{4, true}}));
  EXPECT_FALSE(has_cycle({{3, false}, {3, false}, {3, false}}));
}

/// Meshes of up to three axes with so many devices, sizes of 1 among them.
std::vector<Mesh> meshes_of(std::int64_t devices) {
  std::vector<Mesh> meshes;
  for (std::int64_t x = 1; x <= devices; ++x)
    for (std::int64_t y = 1; devices % x == 0 && y <= devices / x; ++y)
      if (devices / x % y == 0) meshes.push_back({{"X", x}, {"Y", y}, {"Z", devices / x / y}});
  return meshes;
}

/// Calls `check(mesh, hardware)` for meshes on the slices of every chip.
void for_each_mesh(const std::function<void(const Mesh&, const Hardware&)>& check) {
  for (const std::string& name : hardware_names())
    for (const std::int64_t devices : {1, 2, 4, 6, 8, 16, 24, 32, 64, 72, 128, 256, 512, 576})
      for (const Slice& slice : slices_with(find_hardware(name), devices)) {
        Hardware hardware = find_hardware(name);
        hardware.slice = slice;
        for (const Mesh& mesh : meshes_of(devices)) check(mesh, hardware);
      }
}

/// The placements of a mesh that may have none.
std::vector<Placement> placements_or_none(const Mesh& mesh, const Hardware& hardware, TopologyRule rule) {
  try {
    return placements(mesh, hardware, rule);
  } catch (const Error&) {
    return {};
  }
}

TEST(Topology, EveryPlacementMakesTheMeshAndResolvesToItself) {
  int num_placements = 0;
  for_each_mesh([&](const Mesh& mesh, const Hardware& hardware) {
    for (const TopologyRule rule : kRules)
      for (const Placement& placement : placements_or_none(mesh, hardware, rule)) {
        ++num_placements;
        const Topology& topology = placement.topology;
        for (std::size_t axis = 0; axis < mesh.axes().size(); ++axis) {
          std::int64_t size = 1;
          if (hardware.network.kind == NetworkKind::kTorus)
            for (const TorusAxis& torus : topology.torus[axis]) size *= torus.size;
          else
            size = topology.in_node[axis] * topology.across_nodes[axis];
          ASSERT_EQ(size, mesh.axes()[axis].size) << mesh.str() << ' ' << text(topology);
        }
        if (hardware.network.kind == NetworkKind::kSwitch) {
          ASSERT_EQ(
              std::accumulate(topology.in_node.begin(), topology.in_node.end(), std::int64_t{1}, std::multiplies<>()),
              node_grid(hardware.slice).devices_per_node);
        }
        const std::string written = to_string(placement.mapping, mesh);
        ASSERT_EQ(parse_mapping(written, mesh, hardware, rule), placement.mapping) << written;
        ASSERT_EQ(resolve(placement.mapping, mesh, hardware, rule), topology) << written;
      }
  });
  EXPECT_GT(num_placements, 1000);
}

/// A topology without the order of the axes within each mesh axis, which no price depends on.
Topology unordered(Topology topology) {
  for (std::vector<TorusAxis>& axes : topology.torus)
    std::sort(axes.begin(), axes.end(), [](const TorusAxis& one, const TorusAxis& other) {
      return std::pair(one.size, one.wraps) < std::pair(other.size, other.wraps);
    });
  return topology;
}

/// Every mapping of hardware axes to mesh axes, cycles or not, that `resolve` accepts.
std::set<std::string> topologies_by_trying(const Mesh& mesh, const Hardware& hardware) {
  std::set<std::string> found;
  const std::size_t num_axes = mesh.axes().size(), num_hardware_axes = hardware.slice.size();
  std::size_t num_owners = 1;
  for (std::size_t i = 0; i < num_hardware_axes; ++i) num_owners *= num_axes;
  for (std::size_t owners = 0; owners < num_owners; ++owners)
    for (unsigned rings = 0; rings < 1U << num_axes; ++rings) {
      Mapping mapping{std::vector<AxisMapping>(num_axes)};
      std::size_t rest = owners;
      for (std::size_t axis = 0; axis < num_hardware_axes; ++axis, rest /= num_axes)
        mapping.axes[rest % num_axes].hardware_axes.push_back(static_cast<int>(axis));
      for (std::size_t axis = 0; axis < num_axes; ++axis) mapping.axes[axis].as_ring = (rings >> axis & 1U) != 0;
      try {
        found.insert(text(unordered(resolve(mapping, mesh, hardware, TopologyRule::kSlice))));
      } catch (const Error&) {
      }
    }
  return found;
}

TEST(Topology, NoPlacementIsMissingAndNoneIsThereTwice) {
  for_each_mesh([&](const Mesh& mesh, const Hardware& hardware) {
    if (hardware.network.kind != NetworkKind::kTorus || mesh.num_devices() > 64) return;
    std::set<std::string> found;
    const std::vector<Placement> all = placements_or_none(mesh, hardware, TopologyRule::kSlice);
    for (const Placement& placement : all) found.insert(text(unordered(placement.topology)));
    EXPECT_EQ(found.size(), all.size()) << mesh.str() << " on " << hardware.name << ' ' << slice_text(hardware.slice);
    EXPECT_EQ(found, topologies_by_trying(mesh, hardware))
        << mesh.str() << " on " << hardware.name << ' ' << slice_text(hardware.slice);
  });
}

TEST(Topology, AMeshAlwaysLiesOnASwitch) {
  for_each_mesh([](const Mesh& mesh, const Hardware& hardware) {
    const bool is_placed = !placements_or_none(mesh, hardware, TopologyRule::kSlice).empty();
    EXPECT_TRUE(is_placed || hardware.network.kind == NetworkKind::kTorus) << mesh.str();
  });
}

}  // namespace
}  // namespace meshmul
