#include "meshmul/topology.hpp"

#include <gmock/gmock.h>

#include <set>

#include "hardware/torus_mapping.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

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

struct Case {
  std::string mesh, hardware;
  std::vector<std::string> placements;  ///< slice, mapping, topology
};

std::string slice_and(const Placement& placement, const Mesh& mesh) {
  return slice_text(placement.slice) + " " + to_string(placement.mapping, mesh) + " " + text(placement.topology);
}

std::vector<std::string> placed(const std::string& mesh_text, const std::string& hardware, TopologyRule rule) {
  const Mesh mesh = parse_mesh(mesh_text);
  std::vector<std::string> texts;
  for (const Placement& placement : placements(mesh, find_hardware(hardware), rule))
    texts.push_back(slice_and(placement, mesh));
  return texts;
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

TEST(Topology, PlacementsOnASlice) {
  const std::vector<Case> cases = {
      {"X=4,Y=4", "v5e:4x4", {"4x4 X=0,Y=1 [4-][4-]"}},
      {"X=4,Y=4", "v5e", {"4x4 X=0,Y=1 [4-][4-]"}},
      {"X=8,Y=16", "v5e:16x8", {"16x8 X=1,Y=0 [8-][16o]"}},
      {"X=16", "v5e:4x4", {"4x4 X=0+1 [4- 4-]", "4x4 X=ring(0+1) [16o]"}},
      {"X=16,Y=1", "v5e:4x4", {"4x4 X=0+1 [4- 4-][]", "4x4 X=ring(0+1) [16o][]"}},
      {"X=4,Y=4,Z=4", "v4p:4x4x4", {"4x4x4 X=0,Y=1,Z=2 [4o][4o][4o]"}},
      {"X=16,Y=4", "v4p:4x4x4", {"4x4x4 X=0+1,Y=2 [4o 4o][4o]", "4x4x4 X=ring(0+1),Y=2 [16o][4o]"}},
      {"X=64", "v5p", {"4x4x4 X=0+1+2 [4o 4o 4o]", "4x4x4 X=ring(0+1+2) [64o]"}},
      {"X=8,Y=4", "v5p", {"2x4x4 X=0+1,Y=2 [2- 4-][4-]", "2x4x4 X=ring(0+1),Y=2 [8o][4-]"}},
      {"X=4", "v5p", {"1x2x2 X=1+2 [2- 2-]", "1x2x2 X=ring(1+2) [4o]"}},
      {"X=16,Y=16",
       "v5p",
       {"4x4x16 X=0+1,Y=2 [4o 4o][16o]", "4x4x16 X=ring(0+1),Y=2 [16o][16o]", "4x4x16 X=2,Y=0+1 [16o][4o 4o]"}},
      {"X=1", "v5e", {"  []"}},
      {"", "v5p", {"  "}},
  };
  for (const Case& c : cases)
    EXPECT_EQ(placed(c.mesh, c.hardware, TopologyRule::kSlice), c.placements) << c.mesh << ' ' << c.hardware;
}

}  // namespace
}  // namespace meshmul
