// One group of ranks runs as it does among all of them, to the picosecond: on rings, lines, folded axes, switches and nodes.

#include "meshmul/representative.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "simulate/machines.hpp"

namespace meshmul {
namespace {

using namespace testing;

struct Place {
  std::string name;
  Hardware hardware;
  Topology topology;
};

Hardware slow_memory(NetworkKind kind) {
  Hardware hardware = machine(kind);
  hardware.chip.memory_bytes_per_second = 3e9;
  return hardware;
}

// Axes of four or six lie on two rings.
Topology folded(const Mesh& mesh) {
  Topology topology = torus(mesh, true);
  for (std::vector<TorusAxis>& axes : topology.torus)
    if (axes[0].size > 2 && axes[0].size % 2 == 0) axes = {{axes[0].size / 2, true}, {2, false}};
  return topology;
}

Place nodes(const Mesh& mesh, const std::vector<std::int64_t>& in_node) {
  Place place{"nodes", slow_memory(NetworkKind::kSwitch), one_switch(mesh)};
  place.hardware.network.nodes = NodeNetwork{8, kLinkRate / 2, 3e-6};
  for (std::size_t axis = 0; axis < in_node.size(); ++axis) {
    place.topology.in_node[axis] = in_node[axis];
    place.topology.across_nodes[axis] = mesh.axes()[axis].size / in_node[axis];
  }
  return place;
}

// One axis after the other spans nodes, alone or in part.
std::vector<Place> places(const Mesh& mesh) {
  const Hardware grid = slow_memory(NetworkKind::kTorus);
  std::vector<Place> places{{"rings", grid, torus(mesh, true)},
                            {"lines", grid, torus(mesh, false)},
                            {"folded", grid, folded(mesh)},
                            {"switch", slow_memory(NetworkKind::kSwitch), one_switch(mesh)}};
  for (int axis = 0; axis < mesh.num_axes(); ++axis) {
    std::vector<std::int64_t> in_node;
    for (const MeshAxis& other : mesh.axes()) in_node.push_back(other.size);
    std::int64_t& own = in_node[static_cast<std::size_t>(axis)];
    if (own % 2 == 0) places.push_back(nodes(mesh, in_node));
    if (own % 2 == 0) own /= 2;
    places.push_back(nodes(mesh, in_node));
    own = 1;
    places.push_back(nodes(mesh, in_node));
  }
  return places;
}

using Row = std::tuple<int, std::int64_t, std::int64_t>;  // lane, start, end

// Waits that follow each other may do so in another order, since words are numbered otherwise.
std::vector<Row> rows_of(const Timeline& timeline, int rank) {
  std::vector<Row> rows;
  for (const Span& span : timeline.spans)
    if (span.place.rank == rank && span.kind != SpanKind::kWait)
      rows.emplace_back(span.place.lane, span.start_ps, span.end_ps);
  return rows;
}

// Returns how many groups there are.
std::int64_t expect_same(const Plan& plan, Algorithm algorithm, const Place& place, bool legal,
                         const SimulateOptions& options = {}) {
  const Representative group = representative(plan, place.hardware, place.topology, options);
  const auto simulated = [&](const Plan& some, const Hardware& hardware, const Topology& topology) {
    Schedule schedule = lower(some, {algorithm});
    if (legal) schedule = legalize(schedule, {false, false, false});
    return simulate(schedule, hardware, topology, options);
  };
  SCOPED_TRACE(to_string(plan.statement, plan.mesh) + " by " + std::string(name(algorithm)) + " on " + place.name +
               ", " + group_phrase(group));
  const Timeline alone = simulated(group.plan, group.hardware, group.topology);
  const Timeline all = simulated(plan, place.hardware, place.topology);
  EXPECT_EQ(all.makespan_ps, alone.makespan_ps);
  const Mesh& mesh = group.plan.mesh;
  for (int rank = 0; rank < mesh.num_devices(); ++rank)
    EXPECT_EQ(rows_of(all, plan.mesh.device(mesh.coordinates(rank))), rows_of(alone, rank)) << "rank " << rank;
  return group.num_groups;
}

void expect_same_everywhere(const Plan& plan) {
  for (const Place& place : places(plan.mesh))
    for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays})
      for (const bool legal : {false, true}) expect_same(plan, algorithm, place, legal);
}

// Idle axes cut dimensions before, behind and between those that move, evenly or not, or hold the same, or partial sums.
TEST(Representative, RunsAsItDoesAmongAllRanks) {
  const std::string mesh = "W=2,X=4,Y=3";
  for (const auto& [kind, statement] : std::vector<std::pair<MoveKind, std::string>>{
           {MoveKind::kAllGather, "bf16 A[I=24_X, J=6_Y] -> A[I, J_Y]"},
           {MoveKind::kAllGather, "bf16 A[I=23_WX, J=7_Y] -> A[I_W, J_Y]"},
           {MoveKind::kAllGather, "bf16 A[I=7_XY, J=3]{U_W} -> A[I_X, J]{U_W}"},
           {MoveKind::kAllGather, "bf16 A[I=29_YXW, J=3] -> A[I_Y, J]"},
           {MoveKind::kReduceScatter, "bf16 A[I=13_W, J=5_Y]{U_X} -> A[I_WX, J_Y]"},
           {MoveKind::kReduceScatter, "f32 A[I=12_W, J=6]{U_XY} -> A[I_WX, J]{U_Y}"},
           {MoveKind::kAllReduce, "bf16 A[I=13_W, J=5]{U_X} -> A[I_W, J]"},
           {MoveKind::kAllReduce, "f32 A[I=3_Y]{U_W} -> A[I_Y]"},
           {MoveKind::kAllToAll, "bf16 A[I=23_WX, J=9_Y] -> A[I_W, J_YX]"},
           {MoveKind::kPermute, "bf16 A[I=24_X, J=12_Y, K=3_W] -> A[I_Y, J_X, K_W]"},
           {MoveKind::kRedistribute, "bf16 A[I=10_W, J=13_X] -> A[J_Y, I_W]"},
           {MoveKind::kSlice, "bf16 A[I=10_X, J=13] -> A[I_XW, J_Y]"},
           {MoveKind::kUnreduce, "bf16 A[I=10_X, J=13] -> A[I_X, J]{U_Y}"}})
    expect_same_everywhere(one_move(kind, statement, mesh));
}

TEST(Representative, OfAllCollectivesThatAreTestedElsewhere) {
  for (const auto& cases : {all_gather_cases(), reduce_scatter_cases(), all_reduce_cases(), all_to_all_cases(),
                            permute_cases(), redistribute_cases(), slice_cases(), unreduce_cases()})
    for (const MoveCase& move : cases) {
      const Plan plan = move.plan();
      for (const Place& place : places(plan.mesh)) expect_same(plan, Algorithm::kRingBothWays, place, false);
    }
}

TEST(Representative, OfPlansWithProducts) {
  const Hardware hardware = slow_memory(NetworkKind::kTorus);
  const Mesh mesh = parse_mesh("X=2,Y=4,Z=3");
  for (const char* statement :
       {"A[I=24_Z, J=24_Y] * B[J_Y, K=8] -> C[I_Z, K_Y]", "A[I=23_X, J=9] * B[J_Z, K=8] -> C[I_X, K]",
        "A[I=24, J=8] * B[J, K=24] -> C[I_X, K_Y]", "A[I=24_XY, J=8] * B[J, K=24_Z] -> C[I_XY, K_Z]",
        "A[I=22_Y, J=8_X] * B[J_X, K=25_Z] -> C[I_Y, K_Z]{U_X}",
        "A[E=5_Z, I=22_Y, J=8] * B[E_Z, J_Y, K=25] -> C[E_Z, I_Y, K]"}) {
    PlanOptions options;
    options.cost.topology = TopologyRule::kWrap;
    expect_same_everywhere(plan(parse_statement(statement, mesh), mesh, hardware, options));
  }
}

std::int64_t num_groups(const std::string& statement, MoveKind kind, const std::string& mesh, const Place& place) {
  return expect_same(one_move(kind, statement, mesh), Algorithm::kDirect, place, false);
}

TEST(Representative, KeepsTogetherWhatExchangesOrSharesNodes) {
  const Mesh mesh = parse_mesh("X=4,Y=2,Z=3");
  const Place rings{"rings", slow_memory(NetworkKind::kTorus), torus(mesh, true)};
  const std::string gather = "A[I=8_X, J=6_Z] -> A[I, J_Z]";
  EXPECT_EQ(num_groups(gather, MoveKind::kAllGather, mesh.str(), rings), 6);
  EXPECT_EQ(num_groups(gather, MoveKind::kAllGather, mesh.str(), nodes(mesh, {4, 1, 1})), 6) << "X inside nodes";
  EXPECT_EQ(num_groups(gather, MoveKind::kAllGather, mesh.str(), nodes(mesh, {1, 1, 3})), 2)
      << "Z shares ports of nodes";
  EXPECT_EQ(num_groups(gather, MoveKind::kAllGather, mesh.str(), nodes(mesh, {2, 1, 3})), 2);
  EXPECT_EQ(num_groups("A[I=8_XY] -> A[I_YX]", MoveKind::kPermute, mesh.str(), rings), 3);
  EXPECT_EQ(num_groups("A[I=24_XZY] -> A[I_YZX]", MoveKind::kPermute, mesh.str(), rings), 1) << "Z is passed through";
  EXPECT_EQ(num_groups("A[I=8, J=6_Z]{U_X} -> A[I, J_Z]", MoveKind::kAllReduce, mesh.str(), rings), 6);
}

TEST(Representative, RanksThatShareACoreAMemoryOrAChipStayTogether) {
  const Plan plan = one_move(MoveKind::kAllReduce, "A[I=8]{U_X} -> A[I]", "Y=2,X=4,Z=6");
  for (Place& place : places(plan.mesh)) {
    place.hardware.chip.copy_engines = 2;
    for (int SimulateOptions::* sharing :
         {&SimulateOptions::ranks_per_core, &SimulateOptions::ranks_per_memory, &SimulateOptions::ranks_per_chip}) {
      SimulateOptions options;
      const std::int64_t alone = expect_same(plan, Algorithm::kDirect, place, false, options);
      options.*sharing = 2;
      const std::int64_t shared = expect_same(plan, Algorithm::kDirect, place, false, options);
      if (place.name == "rings") {
        EXPECT_EQ(alone, 12);
        EXPECT_EQ(shared, 2) << "Z would part ranks that share";
      }
    }
  }
}

TEST(Representative, KeepsAxesThatCutUnevenly) {
  const auto groups = [](const std::string& statement) {
    const Plan plan = one_move(MoveKind::kAllGather, statement, "X=4,Y=2,Z=3");
    return representative(plan, machine(NetworkKind::kTorus), torus(plan.mesh, true)).num_groups;
  };
  EXPECT_EQ(groups("A[I=9_X, J=6_Y] -> A[I, J_Y]"), 6);
  EXPECT_EQ(groups("A[I=9_X, J=7_Y] -> A[I, J_Y]"), 3);
  EXPECT_EQ(groups("A[I=9_X, J=7_YZ] -> A[I, J_YZ]"), 1);
}

}  // namespace
}  // namespace meshmul
