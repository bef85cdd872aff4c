// How long does lowering take? build_move() over collectives of 64 to 1024 ranks: the algorithm, its handshakes, the
// schedule.
// Times are CPU times of one thread; the goals stand in bench/README.md.

#include <benchmark/benchmark.h>

#include "meshmul/collectives.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "peak_memory.hpp"
#include "schedule/op_count.hpp"

namespace {

using namespace meshmul;

struct Case {
  const char* name;
  const char* mesh;
  MoveKind kind;
  const char* statement;
  Algorithm algorithm;
};

using enum MoveKind;
constexpr Case kCases[] = {
    {"64 ranks/AllGather direct", "X=64", kAllGather, "A[I=4096_X, J=8] -> A[I, J]", Algorithm::kDirect},
    {"64 ranks/AllGather ring", "X=64", kAllGather, "A[I=4096_X, J=8] -> A[I, J]", Algorithm::kRing},
    {"64 ranks/AllReduce direct", "X=64", kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]", Algorithm::kDirect},
    {"64 ranks/AllReduce ring", "X=64", kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]", Algorithm::kRing},
    {"64 ranks/AllToAll ring", "X=64", kAllToAll, "A[I=4096_X, J=64] -> A[I, J_X]", Algorithm::kRing},
    {"256 ranks/AllGather direct", "X=256", kAllGather, "A[I=4096_X, J=8] -> A[I, J]", Algorithm::kDirect},
    {"256 ranks/AllGather ring", "X=256", kAllGather, "A[I=4096_X, J=8] -> A[I, J]", Algorithm::kRing},
    {"256 ranks/AllReduce direct", "X=256", kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]", Algorithm::kDirect},
    {"256 ranks/AllReduce ring", "X=256", kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]", Algorithm::kRing},
    {"256 ranks/AllReduce ring both ways", "X=256", kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]",
     Algorithm::kRingBothWays},
    {"256 ranks/AllToAll ring", "X=256", kAllToAll, "A[I=4096_X, J=256] -> A[I, J_X]", Algorithm::kRing},
    {"16 x 16/AllGather ring both ways", "X=16,Y=16", kAllGather, "A[I=4096_XY, J=8] -> A[I, J]",
     Algorithm::kRingBothWays},
    {"16 x 16/ReduceScatter ring both ways", "X=16,Y=16", kReduceScatter, "A[I=4096, J=8]{U_XY} -> A[I_XY, J]",
     Algorithm::kRingBothWays},
    {"16 x 16/AllReduce ring both ways", "X=16,Y=16", kAllReduce, "A[I=4096, J=8]{U_XY} -> A[I, J]",
     Algorithm::kRingBothWays},
    {"1024 ranks/AllGather ring", "X=1024", kAllGather, "A[I=4096_X, J=8] -> A[I, J]", Algorithm::kRing},
    {"1024 ranks/AllReduce ring", "X=1024", kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]", Algorithm::kRing},
};

void build(benchmark::State& state, const Case& c) {
  const Mesh mesh = parse_mesh(c.mesh);
  const Statement statement = parse_statement(c.statement, mesh);
  Move move;
  move.kind = c.kind;
  move.from = *inputs(statement).front();
  move.to = output(statement);
  forget_peak();
  for (auto _ : state) {
    const Schedule schedule = build_move(move, mesh, {c.algorithm});
    state.counters["ops"] = static_cast<double>(num_ops(schedule));
  }
  state.counters["peak_MiB"] = peak_mib();
}

}  // namespace

int main(int argc, char** argv) {
  for (const Case& c : kCases)
    benchmark::RegisterBenchmark(c.name, [&c](benchmark::State& state) {
      build(state, c);
    })->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
