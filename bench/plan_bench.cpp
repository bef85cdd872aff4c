// How long does planning take? The whole of plan(): of one statement with fifteen losers explained, of a program with the
// best plan of every other strategy. And of pareto_front(), which writes out every plan that trades time for memory. Times are CPU times of one thread; the goal is below 1 ms for a statement on up to
// three mesh axes, below 20 ms with four, and below 100 ms for a program of two on two axes.
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
  const char* statement;
};

constexpr Case kCases[] = {
    {"1 axis/book case 3", "X=4", "bf16 A[I=8192, J=8192_X] * B[J_X, K=8192] -> C[I, K]"},
    {"2 axes/nothing moves", "X=4,Y=4", "bf16 A[I=8192_X, J=8192] * B[J, K=8192_Y] -> C[I_X, K_Y]"},
    {"2 axes/swapped output", "X=4,Y=4", "bf16 A[I=8192_X, J=8192_Y] * B[J_X, K=8192_Y] -> C[I_Y, K_X]"},
    {"3 axes/reversed order", "X=4,Y=4,Z=4", "bf16 A[I=8192_XYZ, J=8192] * B[J_ZYX, K=8192] -> C[I, K_X]"},
    {"3 axes/all replicated", "X=4,Y=4,Z=4", "bf16 A[I=8192, J=8192] * B[J, K=8192] -> C[I, K]"},
    {"3 axes/partial inputs", "X=4,Y=4,Z=4", "bf16 A[I=8192_X, J=8192]{U_Y} * B[J_X, K=8192]{U_Z} -> C[I, K_XYZ]"},
    {"3 axes/all open", "X=4,Y=4,Z=4", "bf16 A[I=8192, J=8192]? * B[J, K=8192]? -> C[I, K]?"},
    {"3 axes/batch", "X=4,Y=4,Z=4", "bf16 A[G=64_X, I=1024_Y, J=1024_Z] * B[G_Z, J_X, K=1024_Y] -> C[G_Y, I, K_Z]"},
    {"3 axes/uneven", "X=3,Y=5,Z=7", "A[I=1000_ZX, J=999_Y] * B[J_X, K=1001_YZ] -> C[I_Y, K]"},
    {"3 axes/reshard", "X=4,Y=4,Z=4", "bf16 A[I=8192_XY, J=8192_Z] -> A[I_ZX, J_Y]"},
    {"4 axes/reversed order", "W=2,X=4,Y=4,Z=4", "bf16 A[I=8192_XYZ, J=8192_W] * B[J_ZYX, K=8192] -> C[I, K_XW]"},
    {"4 axes/batch", "W=2,X=4,Y=4,Z=4",
     "bf16 A[G=64_XW, I=1024_Y, J=1024_Z] * B[G_Z, J_X, K=1024_Y] -> C[G_Y, I, K_ZW]"},
};

/// The cost model that prices meshes of every shape.
meshmul::PlanOptions book() {
  meshmul::PlanOptions options;
  options.cost = *meshmul::find_cost_model("book");
  return options;
}

void plan_statement(benchmark::State& state, const Case& c) {
  const Mesh mesh = meshmul::parse_mesh(c.mesh);
  const meshmul::Statement statement = meshmul::parse_statement(c.statement, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware("v5p");
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::plan(statement, mesh, hardware, book()));
}

void list_front(benchmark::State& state, const Case& c) {
  const Mesh mesh = meshmul::parse_mesh(c.mesh);
  const meshmul::Statement statement = meshmul::parse_statement(c.statement, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware("v5p");
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::pareto_front(statement, mesh, hardware, book()));
  state.counters["plans"] = static_cast<double>(meshmul::pareto_front(statement, mesh, hardware, book()).size());
}

/// Every sharding is open.
constexpr const char* kMlp =
    "bf16 In[B=128, D=8192]?\nbf16 Win[D, F=32768]?\nbf16 Wout[F, D]?\nH = gelu(In * Win)\nOut = H * Wout like In\n";

/// `memory_bytes` is 0 for no limit.
void plan_program(benchmark::State& state, const char* mesh_text, std::int64_t memory_bytes) {
  const Mesh mesh = meshmul::parse_mesh(mesh_text);
  const meshmul::Program program = meshmul::parse_program(kMlp, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware("v5e");
  meshmul::PlanOptions options = book();
  if (memory_bytes > 0) options.memory_bytes = memory_bytes;
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::plan(program, mesh, hardware, options));
}

void list_front_of_program(benchmark::State& state, const char* mesh_text) {
  const Mesh mesh = meshmul::parse_mesh(mesh_text);
  const meshmul::Program program = meshmul::parse_program(kMlp, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware("v5e");
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::pareto_front(program, mesh, hardware, book()));
}

}  // namespace

int main(int argc, char** argv) {
  for (const Case& c : kCases)
    benchmark::RegisterBenchmark(c.name, plan_statement, c)->Unit(benchmark::kMicrosecond)->MinTime(0.1);
  for (const Case& c : kCases)
    benchmark::RegisterBenchmark(("front/" + std::string(c.name)).c_str(), list_front, c)
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.1);
  const auto add_program = [](const char* name, const char* mesh, std::int64_t memory_bytes) {
    benchmark::RegisterBenchmark(name, plan_program, mesh, memory_bytes)->Unit(benchmark::kMicrosecond)->MinTime(0.1);
  };
  add_program("program/MLP, 1 axis", "X=4", 0);
  add_program("program/MLP, 2 axes", "X=2,Y=2", 0);
  add_program("program/MLP, 2 axes, 300 MB", "X=2,Y=2", 300'000'000);
  add_program("program/MLP, 3 axes", "X=2,Y=2,Z=2", 0);
  for (const char* mesh : {"X=2,Y=2", "X=2,Y=2,Z=2"})
    benchmark::RegisterBenchmark(("front/program/MLP, " + std::string(mesh)).c_str(), list_front_of_program, mesh)
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
