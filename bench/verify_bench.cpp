// How long does it take to prove a schedule? The whole of verify() over schedules that the builders make, from a few
// thousand ops to more than a million, all rules: they require no barrier between runs. Times are CPU times of one thread;
// the goals stand in bench/README.md.

#include <benchmark/benchmark.h>

#include "meshmul/collectives.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/verify.hpp"
#include "peak_memory.hpp"

namespace {

using namespace meshmul;

constexpr Capabilities kNoBarrier{.get = true, .addressable = true, .strided = true, .barrier = false};
constexpr Capabilities kNothing{.get = false, .addressable = false, .strided = false, .barrier = false};

struct Case {
  const char* name;
  const char* mesh;
  MoveKind kind;
  const char* statement;
  Algorithm algorithm;
  Capabilities available = kNoBarrier;
};

constexpr Case kCases[] = {
    {"64 ranks/direct AllGather", "X=64", MoveKind::kAllGather, "A[I=4096_X, J=8] -> A[I, J]", Algorithm::kDirect},
    {"64 ranks/ring AllGather", "X=64", MoveKind::kAllGather, "A[I=4096_X, J=8] -> A[I, J]", Algorithm::kRing},
    {"64 ranks/ring AllReduce", "X=64", MoveKind::kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]", Algorithm::kRing},
    {"64 ranks/ring AllToAll", "X=64", MoveKind::kAllToAll, "A[I=4096_X, J=64] -> A[I, J_X]", Algorithm::kRing},
    {"256 ranks/direct AllGather", "X=256", MoveKind::kAllGather, "A[I=4096_X, J=8] -> A[I, J]", Algorithm::kDirect},
    {"256 ranks/ring AllReduce", "X=256", MoveKind::kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]", Algorithm::kRing},
    {"256 ranks/ring AllReduce both ways", "X=256", MoveKind::kAllReduce, "A[I=4096, J=8]{U_X} -> A[I, J]",
     Algorithm::kRingBothWays},
    {"256 ranks/ring AllReduce of strided blocks", "X=256", MoveKind::kAllReduce, "A[I=8, J=4096]{U_X} -> A[I, J]",
     Algorithm::kRing, kNothing},
};

Schedule build(const Case& c) {
  const Mesh mesh = parse_mesh(c.mesh);
  const Statement statement = parse_statement(c.statement, mesh);
  Move move;
  move.kind = c.kind;
  move.from = *inputs(statement).front();
  move.to = output(statement);
  return legalize(build_move(move, mesh, {c.algorithm}), c.available);
}

void prove(benchmark::State& state, const Case& c) {
  const Schedule schedule = build(c);
  std::size_t ops = 0;
  for (const RankProgram& program : schedule.ranks)
    for (const Lane& lane : program.lanes) ops += lane.ops.size();
  forget_peak();
  for (auto _ : state)
    if (!verify(schedule).empty()) state.SkipWithError("the schedule has findings");
  state.counters["ops"] = static_cast<double>(ops);
  state.counters["peak_MiB"] = peak_mib();
}

}  // namespace

int main(int argc, char** argv) {
  for (const Case& c : kCases)
    benchmark::RegisterBenchmark(c.name, [&c](benchmark::State& state) {
      prove(state, c);
    })->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
