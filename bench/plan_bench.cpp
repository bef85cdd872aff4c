// How long does planning take? The whole of plan(): of one statement with fifteen losers explained, of a program with the
// best plan of every other strategy. And of pareto_front(), which writes out every plan that trades time for memory. Times
// are CPU times of one thread; the goals stand in bench/README.md.
#include <benchmark/benchmark.h>

#include <string>

#include "meshmul/pareto.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/program_plan.hpp"

namespace {

using meshmul::Mesh;

struct Case {
  const char* name;
  const char* mesh;
  const char* hardware;
  const char* statement;
  const char* model = "exact";
};

constexpr Case kCases[] = {
    {"1 axis/book case 3", "X=4", "v5p", "bf16 A[I=8192, J=8192_X] * B[J_X, K=8192] -> C[I, K]"},
    {"2 axes/nothing moves", "X=4,Y=4", "v5p", "bf16 A[I=8192_X, J=8192] * B[J, K=8192_Y] -> C[I_X, K_Y]"},
    {"2 axes/swapped output", "X=4,Y=4", "v5p", "bf16 A[I=8192_X, J=8192_Y] * B[J_X, K=8192_Y] -> C[I_Y, K_X]"},
    {"3 axes/reversed order", "X=4,Y=4,Z=4", "v5p", "bf16 A[I=8192_XYZ, J=8192] * B[J_ZYX, K=8192] -> C[I, K_X]"},
    {"3 axes/all replicated", "X=4,Y=4,Z=4", "v5p", "bf16 A[I=8192, J=8192] * B[J, K=8192] -> C[I, K]"},
    {"3 axes/partial inputs", "X=4,Y=4,Z=4", "v5p",
     "bf16 A[I=8192_X, J=8192]{U_Y} * B[J_X, K=8192]{U_Z} -> C[I, K_XYZ]"},
    {"3 axes/all open", "X=4,Y=4,Z=4", "v5p", "bf16 A[I=8192, J=8192]? * B[J, K=8192]? -> C[I, K]?"},
    {"3 axes/batch", "X=4,Y=4,Z=4", "v5p",
     "bf16 A[G=64_X, I=1024_Y, J=1024_Z] * B[G_Z, J_X, K=1024_Y] -> C[G_Y, I, K_Z]"},
    {"3 axes/uneven", "X=3,Y=5,Z=7", "cpu", "A[I=1000_ZX, J=999_Y] * B[J_X, K=1001_YZ] -> C[I_Y, K]"},
    {"3 axes/reshard", "X=4,Y=4,Z=4", "v5p", "bf16 A[I=8192_XY, J=8192_Z] -> A[I_ZX, J_Y]"},
    {"3 axes/five indices", "X=4,Y=4,Z=4", "v5p",
     "bf16 A[G=64_X, I=1024_Y, J=64, L=128_Z] * B[G_Z, J_X, L, K=1024_Y] -> C[G_Y, I, K_Z]"},
    {"3 axes/five indices, two of them batch", "X=4,Y=4,Z=4", "v5p",
     "bf16 A[G=64_X, H=16_Y, I=1024, J=1024_Z] * B[G_Z, H, J_X, K=1024_Y] -> C[G, H_Y, I_X, K_Z]"},
    {"4 axes/reversed order", "W=2,X=4,Y=4,Z=4", "h100",
     "bf16 A[I=8192_XYZ, J=8192_W] * B[J_ZYX, K=8192] -> C[I, K_XW]"},
    {"4 axes/reversed order, on rings", "W=2,X=4,Y=4,Z=4", "v5p",
     "bf16 A[I=8192_XYZ, J=8192_W] * B[J_ZYX, K=8192] -> C[I, K_XW]", "book"},
    {"4 axes/batch", "W=2,X=4,Y=4,Z=4", "h100",
     "bf16 A[G=64_XW, I=1024_Y, J=1024_Z] * B[G_Z, J_X, K=1024_Y] -> C[G_Y, I, K_ZW]"},
    {"4 axes/batch, on rings", "W=2,X=4,Y=4,Z=4", "v5p",
     "bf16 A[G=64_XW, I=1024_Y, J=1024_Z] * B[G_Z, J_X, K=1024_Y] -> C[G_Y, I, K_ZW]", "book"},
    {"4 axes/five indices, on rings", "W=2,X=4,Y=4,Z=4", "v5p",
     "bf16 A[G=64_XW, I=1024_Y, J=64, L=128_Z] * B[G_Z, J_X, L, K=1024_Y] -> C[G_Y, I, K_ZW]", "book"},
};

/// A mesh that lies on its hardware in more than one way, and one of them.
struct MapCase {
  const char* name;
  const char* mesh;
  const char* hardware;
  const char* map;
  const char* statement;
};

constexpr MapCase kMapCases[] = {
    {"map/2 axes on 3", "X=16,Y=4", "v5p:4x4x4", "X=0+1,Y=2",
     "bf16 A[I=8192_X, J=8192_Y] * B[J_X, K=8192_Y] -> C[I_Y, K_X]"},
    {"map/3 axes on 3 unlike", "X=4,Y=8,Z=16", "v5p:4x8x16", "X=0,Y=1,Z=2",
     "bf16 A[I=8192_XYZ, J=8192] * B[J_ZYX, K=8192] -> C[I, K_X]"},
    {"map/3 axes, any slice", "X=4,Y=4,Z=4", "v4p", "X=0,Y=1,Z=2",
     "bf16 A[I=8192_XYZ, J=8192] * B[J_ZYX, K=8192] -> C[I, K_X]"},
    {"map/3 axes on nodes", "X=4,Y=4,Z=8", "h100", "X=0,Y=0,Z=1",
     "bf16 A[I=8192_XYZ, J=8192] * B[J_ZYX, K=8192] -> C[I, K_X]"},
    {"map/4 axes on nodes, batch", "W=2,X=4,Y=4,Z=4", "h100", "W=0,X=0,Y=0+1,Z=1",
     "bf16 A[G=64_XW, I=1024_Y, J=1024_Z] * B[G_Z, J_X, K=1024_Y] -> C[G_Y, I, K_ZW]"},
    {"map/4 axes on nodes", "W=2,X=4,Y=4,Z=4", "h100", "W=0,X=0,Y=0+1,Z=1",
     "bf16 A[I=8192_XYZ, J=8192_W] * B[J_ZYX, K=8192] -> C[I, K_XW]"},
};

meshmul::PlanOptions options_of(const Case& c) {
  meshmul::PlanOptions options;
  options.cost = *meshmul::find_cost_model(c.model);
  return options;
}

void plan_statement(benchmark::State& state, const Case& c) {
  const Mesh mesh = meshmul::parse_mesh(c.mesh);
  const meshmul::Statement statement = meshmul::parse_statement(c.statement, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware(c.hardware);
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::plan(statement, mesh, hardware, options_of(c)));
}

void list_front(benchmark::State& state, const Case& c) {
  const Mesh mesh = meshmul::parse_mesh(c.mesh);
  const meshmul::Statement statement = meshmul::parse_statement(c.statement, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware(c.hardware);
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::pareto_front(statement, mesh, hardware, options_of(c)));
  state.counters["plans"] = static_cast<double>(meshmul::pareto_front(statement, mesh, hardware, options_of(c)).size());
}

void plan_with_map(benchmark::State& state, const MapCase& c, bool given) {
  const Mesh mesh = meshmul::parse_mesh(c.mesh);
  const meshmul::Statement statement = meshmul::parse_statement(c.statement, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware(c.hardware);
  meshmul::PlanOptions options;
  if (given) options.mapping = meshmul::parse_mapping(c.map, mesh, hardware, options.cost.topology);
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::plan(statement, mesh, hardware, options));
  state.counters["maps"] =
      given ? 1 : static_cast<double>(meshmul::placements(mesh, hardware, options.cost.topology).size());
}

/// Every sharding is open.
constexpr const char* kMlp =
    "bf16 In[B=128, D=8192]?\nbf16 Win[D, F=32768]?\nbf16 Wout[F, D]?\nH = gelu(In * Win)\nOut = H * Wout like In\n";

/// `memory_bytes` is 0 for no limit.
void plan_program(benchmark::State& state, const char* mesh_text, const char* hardware_name,
                  std::int64_t memory_bytes) {
  const Mesh mesh = meshmul::parse_mesh(mesh_text);
  const meshmul::Program program = meshmul::parse_program(kMlp, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware(hardware_name);
  meshmul::PlanOptions options;
  if (memory_bytes > 0) options.memory_bytes = memory_bytes;
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::plan(program, mesh, hardware, options));
}

void list_front_of_program(benchmark::State& state, const char* mesh_text, const char* hardware_name) {
  const Mesh mesh = meshmul::parse_mesh(mesh_text);
  const meshmul::Program program = meshmul::parse_program(kMlp, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware(hardware_name);
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::pareto_front(program, mesh, hardware));
}

}  // namespace

int main(int argc, char** argv) {
  for (const Case& c : kCases)
    benchmark::RegisterBenchmark(c.name, plan_statement, c)->Unit(benchmark::kMicrosecond)->MinTime(0.1);
  for (const Case& c : kCases)
    benchmark::RegisterBenchmark(("front/" + std::string(c.name)).c_str(), list_front, c)
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.1);
  for (const MapCase& c : kMapCases)
    for (const bool given : {true, false})
      benchmark::RegisterBenchmark((c.name + std::string(given ? "/given" : "/search")).c_str(), plan_with_map, c,
                                   given)
          ->Unit(benchmark::kMicrosecond)
          ->MinTime(0.1);
  const auto add_program = [](const char* name, const char* mesh, const char* hardware, std::int64_t memory_bytes) {
    benchmark::RegisterBenchmark(name, plan_program, mesh, hardware, memory_bytes)
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.1);
  };
  add_program("program/MLP, 1 axis", "X=4", "v5e", 0);
  add_program("program/MLP, 2 axes", "X=2,Y=2", "v5e", 0);
  add_program("program/MLP, 2 axes, 300 MB", "X=2,Y=2", "v5e", 300'000'000);
  add_program("program/MLP, 3 axes", "X=2,Y=2,Z=2", "v5p", 0);
  const auto add_front = [](const char* name, const char* mesh, const char* hardware) {
    benchmark::RegisterBenchmark(name, list_front_of_program, mesh, hardware)
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.1);
  };
  add_front("front/program/MLP, 2 axes", "X=2,Y=2", "v5e");
  add_front("front/program/MLP, 3 axes", "X=2,Y=2,Z=2", "v5p");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
