// How much of the machine a sharded product without overlap reaches: two ranks on two cores against the same BLAS
// library on both cores in one process. The two are timed in turn, A B A B …, in one run; the figure is the median of
// the ratios of neighbours. Method and results: bench/README.md.
//
//     bench_sharded_product [SIZE [ROUNDS]]

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <meshmul/meshmul.hpp>
#include <string>
#include <vector>

namespace {

using namespace meshmul;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A product in one piece on `kThreads` threads. Afterwards OpenBLAS has one thread again, as ranks have it.
constexpr int kThreads = 2;
void multiply_in_one_piece(int n, const float* a, const float* b, float* c) {
  openblas_set_num_threads(kThreads);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
  openblas_set_num_threads(1);
}

void measure(const std::string& text, std::string_view backend, int size, int rounds) {
  const Mesh mesh{{"X", 2}};
  Statement statement = parse_statement(text, mesh);
  for (const char* index : {"I", "J", "K"}) set_size(statement, index, size);
  const Executor& executor = *find_executor(backend);
  const Compiled compiled = compile(statement, mesh, find_hardware("cpu"), executor);
  const std::unique_ptr<Session> session = executor.open(compiled.schedule, {});
  for (const Holding& holding : compiled.schedule.contract.inputs) {
    const std::span<std::byte> bytes = session->buffer(holding.region.rank, holding.region.buffer);
    auto* values = reinterpret_cast<float*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) values[i] = static_cast<float>(i % 7) - 3;
  }
  const auto elements = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  const std::vector<float> a(elements, 1.5F);
  const std::vector<float> b(elements, -0.5F);
  std::vector<float> c(elements);

  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> ratios;
  std::string kernels;
  for (int round = -1; round < rounds; ++round) {  // the first round warms caches, pages and threads
    const double one_piece = seconds_of([&] { multiply_in_one_piece(size, a.data(), b.data(), c.data()); });
    const double sharded = seconds_of([&] { kernels = session->run().kernels; });
    if (round < 0) continue;
    theirs.push_back(one_piece);
    ours.push_back(sharded);
    ratios.push_back(one_piece / sharded);
  }
  const double flops = 2.0 * size * size * size;
  fmt::print("{:38} {:9}  one piece {:7.1f} ms ({:5.1f} GFLOP/s)  sharded {:7.1f} ms ({:5.1f} GFLOP/s)  ratio {:.3f}\n",
             text, backend, 1e3 * median(theirs), flops / median(theirs) / 1e9, 1e3 * median(ours),
             flops / median(ours) / 1e9, median(ratios));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int size = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 7;
  if (size < 1 || rounds < 1) {
    fmt::print(stderr, "usage: bench_sharded_product [SIZE [ROUNDS]], both at least 1\n");
    return 2;
  }
  try {
    fmt::print(
        "f32, {0} x {0} x {0}, 2 ranks on 2 cores, median of {1} interleaved pairs\none piece: {2}, {3} threads\n",
        size, rounds, openblas_get_config(), kThreads);
    for (const char* text : {"A[I_X,J]*B[J_X,K]->C[I_X,K]", "A[I,J_X]*B[J_X,K]->C[I_X,K]"})
      for (const char* backend : {"threads", "processes"}) measure(text, backend, size, rounds);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.report());
    return 2;
  }
}
