// How fast is the simulator? The event loop alone, with and without a trace, and all of simulate(): checks, flattening,
// events, timeline. Events are ops that start, waits that are looked at again, and entries of the queue.

#include <benchmark/benchmark.h>

#include <string>

#include "meshmul/lower.hpp"
#include "meshmul/simulate.hpp"
#include "simulate/event_loop.hpp"

namespace {

using meshmul::Algorithm;
using meshmul::Mesh;
using meshmul::Schedule;
using meshmul::Topology;

struct Case {
  const char* name;
  const char* mesh;
  meshmul::MoveKind kind;
  const char* statement;
  Algorithm algorithm;
};

using enum meshmul::MoveKind;
constexpr Case kCases[] = {
    {"AllGather/ring of 64", "X=64", kAllGather, "bf16 A[I=65536_X, J=64] -> A[I, J]", Algorithm::kRingBothWays},
    {"AllGather/ring of 64, uneven", "X=64", kAllGather, "bf16 A[I=65003_X, J=61] -> A[I, J]",
     Algorithm::kRingBothWays},
    {"AllGather/ring of 256", "X=256", kAllGather, "bf16 A[I=65536_X, J=64] -> A[I, J]", Algorithm::kRingBothWays},
    {"AllGather/ring of 256, uneven", "X=256", kAllGather, "bf16 A[I=65003_X, J=61] -> A[I, J]",
     Algorithm::kRingBothWays},
    {"AllGather/torus of 16 x 16, ring", "X=16,Y=16", kAllGather, "bf16 A[I=65536_XY, J=64] -> A[I, J]",
     Algorithm::kRingBothWays},
    {"AllGather/torus of 16 x 16, direct", "X=16,Y=16", kAllGather, "bf16 A[I=65536_XY, J=64] -> A[I, J]",
     Algorithm::kDirect},
    {"AllReduce/8 rings of 64", "Y=8,X=64", kAllReduce, "bf16 A[I=65536_Y, J=64]{U_X} -> A[I_Y, J]", Algorithm::kRing},
    {"AllToAll/ring of 64, direct", "X=64", kAllToAll, "bf16 A[I=4096_X, J=4096] -> A[I, J_X]", Algorithm::kDirect},
};

struct Prepared {
  Schedule schedule;
  Topology topology;
  meshmul::Hardware hardware = meshmul::find_hardware("v5e");
};

Prepared prepare(const Case& c) {
  meshmul::Plan plan;
  plan.mesh = meshmul::parse_mesh(c.mesh);
  plan.statement = meshmul::parse_statement(c.statement, plan.mesh);
  meshmul::Move move;
  move.kind = c.kind;
  move.from = *inputs(plan.statement).front();
  move.to = output(plan.statement);
  plan.steps = {move};
  Prepared prepared{meshmul::lower(plan, {c.algorithm}), {}};
  for (const meshmul::MeshAxis& axis : plan.mesh.axes()) prepared.topology.torus.push_back({{axis.size, true}});
  prepared.hardware.network.slices = {};
  return prepared;
}

void run_loop(benchmark::State& state, const Case& c, bool traces) {
  const Prepared prepared = prepare(c);
  const auto network =
      meshmul::simulation::make_network(prepared.schedule.contract.mesh, prepared.hardware, prepared.topology, {});
  const auto program = meshmul::simulation::flatten(prepared.schedule, prepared.hardware, *network, {});
  double events = 0;
  for (auto _ : state) {
    meshmul::simulation::Trace trace;
    meshmul::simulation::EventLoop loop(program, traces ? &trace : nullptr);
    loop.run();
    events += static_cast<double>(loop.num_events());
  }
  state.counters["ops"] = static_cast<double>(program.ops.size());
  state.counters["events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
}

void run_all(benchmark::State& state, const Case& c) {
  const Prepared prepared = prepare(c);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(prepared.schedule, prepared.hardware, prepared.topology));
}

}  // namespace

int main(int argc, char** argv) {
  for (const Case& c : kCases) {
    const std::string name = c.name;
    benchmark::RegisterBenchmark((name + "/events").c_str(), run_loop, c, false)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((name + "/events with trace").c_str(), run_loop, c, true)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((name + "/simulate()").c_str(), run_all, c)->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
