// How long does planning one statement take? The whole of plan(), with fifteen losers explained. Times are CPU times of
// one thread; the goal is below 1 ms up to three mesh axes and below 20 ms with four.
#include <benchmark/benchmark.h>

#include <string>

#include "meshmul/plan.hpp"

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

void plan_statement(benchmark::State& state, const Case& c) {
  const Mesh mesh = meshmul::parse_mesh(c.mesh);
  const meshmul::Statement statement = meshmul::parse_statement(c.statement, mesh);
  const meshmul::Hardware hardware = meshmul::find_hardware("v5p");
  for (auto _ : state) benchmark::DoNotOptimize(meshmul::plan(statement, mesh, hardware));
}

}  // namespace

int main(int argc, char** argv) {
  for (const Case& c : kCases)
    benchmark::RegisterBenchmark(c.name, plan_statement, c)->Unit(benchmark::kMicrosecond)->MinTime(0.1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
