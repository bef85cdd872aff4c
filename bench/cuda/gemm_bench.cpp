// The product kernel with nothing to wait for, next to the fastest of the algorithms that cuBLASLt proposes. Both in
// turn on random normal numbers, operands in rotation past the cache of the device; medians of the ratios of
// neighbours.

#include <cublasLt.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "device_data.hpp"
#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "measure/estimate.hpp"

namespace {

using meshmul::Dtype;
using meshmul::cuda::check;
using meshmul::cuda::DeviceMemory;
using meshmul::cuda::GemmRun;
using meshmul::cuda::TileChoice;

void check_blas(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(fmt::format("{}: {}", what, cublasLtGetStatusString(status)));
}

struct Shape {
  std::int64_t m = 0, n = 0, k = 0;
  std::string str() const { return fmt::format("{}x{}x{}", m, n, k); }
};

Shape parse_shape(const std::string& text) {
  long m = 0, n = 0, k = 0;
  if (std::sscanf(text.c_str(), "%ldx%ldx%ld", &m, &n, &k) != 3 || m < 1 || n < 1 || k < 1)
    throw CLI::ValidationError("--shapes", text + " is not M x N x K, such as 4096x1792x4096");
  return {m, n, k};
}

/// How the operands lie: a is m x k or k x m, b is k x n or n x k.
struct Layout {
  bool a_rows_together = false;
  bool b_columns_together = false;
};

struct Operands {
  std::vector<DeviceMemory> a, b;
};

/// As many pairs of operands as do not fit the cache together.
Operands make_operands(const Shape& shape, cudaStream_t stream) {
  constexpr std::int64_t kBytesInAll = 400'000'000;
  const std::int64_t a_count = shape.m * shape.k, b_count = shape.n * shape.k;
  const std::int64_t pairs = std::clamp<std::int64_t>(kBytesInAll / (2 * (a_count + b_count)), 2, 16);
  Operands operands;
  for (std::int64_t i = 0; i < pairs; ++i) {
    operands.a.emplace_back(static_cast<std::size_t>(2 * a_count));
    operands.b.emplace_back(static_cast<std::size_t>(2 * b_count));
    constexpr std::uint64_t kSeedStep = 1'000'003;
    fill_normal(operands.a.back().data(), a_count, static_cast<std::uint64_t>(2 * i) * kSeedStep, stream);
    fill_normal(operands.b.back().data(), b_count, static_cast<std::uint64_t>(2 * i + 1) * kSeedStep, stream);
  }
  return operands;
}

/// Products by cuBLASLt. It counts columns first, so that its c^T = b^T a^T is our c = a b.
class BlasProduct {
 public:
  BlasProduct(const Shape& shape, const Layout& layout) : workspace_(kWorkspaceBytes) {
    check_blas(cublasLtCreate(&handle_), "opening cuBLASLt");
    check_blas(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describing a product");
    const cublasOperation_t of_b = layout.b_columns_together ? CUBLAS_OP_N : CUBLAS_OP_T;
    const cublasOperation_t of_a = layout.a_rows_together ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &of_b, sizeof of_b);
    cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSB, &of_a, sizeof of_a);
    const auto matrix = [](cublasLtMatrixLayout_t& made, std::int64_t together, std::int64_t apart) {
      check_blas(cublasLtMatrixLayoutCreate(&made, CUDA_R_16BF, static_cast<std::uint64_t>(together),
                                            static_cast<std::uint64_t>(apart), together),
                 "describing a matrix");
    };
    matrix(a_, layout.a_rows_together ? shape.m : shape.k, layout.a_rows_together ? shape.k : shape.m);
    matrix(b_, layout.b_columns_together ? shape.n : shape.k, layout.b_columns_together ? shape.k : shape.n);
    matrix(c_, shape.n, shape.m);
    check_blas(cublasLtMatmulPreferenceCreate(&preference_), "asking for algorithms");
    cublasLtMatmulPreferenceSetAttribute(preference_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                         sizeof kWorkspaceBytes);
    check_blas(cublasLtMatmulAlgoGetHeuristic(handle_, operation_, b_, a_, c_, c_, preference_, kMostAlgorithms, found_,
                                              &num_algorithms_),
               "asking for algorithms");
  }
  BlasProduct(const BlasProduct&) = delete;
  BlasProduct& operator=(const BlasProduct&) = delete;
  ~BlasProduct() {
    cublasLtMatmulPreferenceDestroy(preference_);
    for (const cublasLtMatrixLayout_t layout : {a_, b_, c_}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(operation_);
    cublasLtDestroy(handle_);
  }

  int num_algorithms() const { return num_algorithms_; }
  void run(int algorithm, const DeviceMemory& a, const DeviceMemory& b, const DeviceMemory& c, cudaStream_t stream) {
    const float one = 1, zero = 0;
    check_blas(cublasLtMatmul(handle_, operation_, &one, b.data(), b_, a.data(), a_, &zero, c.data(), c_, c.data(), c_,
                              &found_[algorithm].algo, workspace_.data(), kWorkspaceBytes, stream),
               "multiplying by cuBLASLt");
  }

 private:
  static constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;
  static constexpr int kMostAlgorithms = 8;
  DeviceMemory workspace_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
  cublasLtMatmulHeuristicResult_t found_[kMostAlgorithms] = {};
  int num_algorithms_ = 0;
};

double median(std::vector<double> values) { return meshmul::measure::estimate(std::move(values)).median; }

/// Times calls on a stream, in us.
class StopWatch {
 public:
  explicit StopWatch(cudaStream_t stream) : stream_(stream) {
    check(cudaEventCreate(&begin_), "making an event");
    check(cudaEventCreate(&end_), "making an event");
  }
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;
  ~StopWatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  template <class Call>
  double operator()(Call call) const {
    check(cudaEventRecord(begin_, stream_), "noting the time");
    call();
    check(cudaEventRecord(end_, stream_), "noting the time");
    check(cudaEventSynchronize(end_), "multiplying");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "taking the time");
    return 1e3 * static_cast<double>(milliseconds);
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

struct Options {
  int pairs = 101;
  std::vector<std::string> shapes;
  std::string layout = "nn";
  bool sweep = false;
  std::string json;
};

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options),
        layout_{.a_rows_together = options.layout[0] == 't', .b_columns_together = options.layout[1] == 'n'},
        words_(sizeof(meshmul::cuda::ExpiredWait) + 8),
        worst_(sizeof(float)) {
    check(cudaStreamCreate(&stream_), "making a stream");
    check(cudaMemset(words_.data(), 0, words_.num_bytes()), "clearing words");
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, 0), "asking the device");
  }

  nlohmann::ordered_json run(const Shape& shape) {
    const Operands operands = make_operands(shape, stream_);
    const DeviceMemory ours(static_cast<std::size_t>(2 * shape.m * shape.n)), theirs(ours.num_bytes());
    check(cudaMemsetAsync(ours.data(), 0xFF, ours.num_bytes(), stream_), "poisoning a result");
    BlasProduct blas(shape, layout_);
    const StopWatch time(stream_);
    const int algorithm = fastest(blas, operands, theirs, time);
    const meshmul::cuda::ProductKind kind{.element = Dtype::kBf16,
                                          .a_rows_together = layout_.a_rows_together,
                                          .b_columns_together = layout_.b_columns_together};
    const auto products = [&](std::size_t i) {
      return std::vector<meshmul::cuda::Product>{{.m = shape.m,
                                                  .n = shape.n,
                                                  .parts = {{.a = operands.a[i].data(),
                                                             .b = operands.b[i].data(),
                                                             .a_stride = layout_.a_rows_together ? shape.m : shape.k,
                                                             .b_stride = layout_.b_columns_together ? shape.n : shape.k,
                                                             .k = shape.k,
                                                             .num_waits = 0}},
                                                  .c = ours.data(),
                                                  .c_stride = shape.n,
                                                  .row_groups = {},
                                                  .raises = {}}};
    };
    std::vector<TileChoice> choices{choose_tiles(kind, products(0), multiprocessors_)};
    if (options_.sweep)
      for (const int tile_n : {256, 224, 208, 192, 128})
        for (const int cluster : {2, 1})
          for (const int together : {4, 8, 16}) choices.push_back({tile_n, cluster, together});
    nlohmann::ordered_json first;
    for (const TileChoice& choice : choices) {
      std::vector<std::unique_ptr<GemmRun>> runs;
      for (std::size_t i = 0; i < operands.a.size(); ++i)
        runs.push_back(std::make_unique<GemmRun>(kind, products(i), std::vector<meshmul::cuda::SignalWait>{}, epoch(),
                                                 control(), choice, multiprocessors_));
      runs[0]->launch(stream_);
      blas.run(algorithm, operands.a[0], operands.b[0], theirs, stream_);
      const float difference = largest_difference_of(ours, theirs, shape);
      std::vector<double> ratios, our_us, blas_us;
      const int rounds = first.is_null() ? options_.pairs : std::min(options_.pairs, 15);
      for (int round = 0; round < rounds; ++round) {
        const std::size_t i = static_cast<std::size_t>(round) % operands.a.size();
        blas_us.push_back(time([&] { blas.run(algorithm, operands.a[i], operands.b[i], theirs, stream_); }));
        our_us.push_back(time([&] { runs[i]->launch(stream_); }));
        ratios.push_back(blas_us.back() / our_us.back());
      }
      const nlohmann::ordered_json row = report(shape, choice, ratios, our_us, blas_us, difference);
      if (first.is_null()) first = row;
    }
    return first;
  }

 private:
  std::uint64_t* epoch() const { return words_.as<std::uint64_t>(); }
  meshmul::cuda::WaitControl control() const {
    constexpr std::uint64_t kSecond = 1'000'000'000;
    return {reinterpret_cast<meshmul::cuda::ExpiredWait*>(words_.data() + 8), kSecond};
  }

  int fastest(BlasProduct& blas, const Operands& operands, const DeviceMemory& c, const StopWatch& time) const {
    int best = 0;
    double best_us = 0;
    for (int algorithm = 0; algorithm < blas.num_algorithms(); ++algorithm) {
      std::vector<double> us;
      for (std::size_t i = 0; i < 9; ++i) {
        const std::size_t pair = i % operands.a.size();
        us.push_back(time([&] { blas.run(algorithm, operands.a[pair], operands.b[pair], c, stream_); }));
      }
      if (algorithm == 0 || median(us) < best_us) {
        best = algorithm;
        best_us = median(us);
      }
    }
    return best;
  }

  float largest_difference_of(const DeviceMemory& ours, const DeviceMemory& theirs, const Shape& shape) const {
    check(cudaMemsetAsync(worst_.data(), 0, worst_.num_bytes(), stream_), "clearing a difference");
    largest_difference(ours.data(), theirs.data(), shape.m * shape.n, worst_.as<float>(), stream_);
    float difference = 0;
    check(cudaMemcpyAsync(&difference, worst_.data(), sizeof difference, cudaMemcpyDeviceToHost, stream_),
          "comparing results");
    check(cudaStreamSynchronize(stream_), "comparing results");
    return difference;
  }

  nlohmann::ordered_json report(const Shape& shape, const TileChoice& choice, std::vector<double> ratios,
                                const std::vector<double>& our_us, const std::vector<double>& blas_us,
                                float difference) const {
    std::ranges::sort(ratios);
    const std::size_t tenth = ratios.size() / 10;
    const double mega_flop =
        2 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) / 1e6;
    nlohmann::ordered_json row{{"shape", shape.str()},
                               {"tiles", to_string(choice)},
                               {"microseconds", median(our_us)},
                               {"cublaslt_microseconds", median(blas_us)},
                               {"teraflops", mega_flop / median(our_us)},
                               {"cublaslt_teraflops", mega_flop / median(blas_us)},
                               {"ratio", median(ratios)},
                               {"ratio_10_percent", ratios[tenth]},
                               {"ratio_90_percent", ratios[ratios.size() - 1 - tenth]},
                               {"largest_difference", difference}};
    fmt::print(
        "{:<18} {:<46} {:9.1f} us {:4.0f} TFLOP/s | cuBLASLt {:9.1f} us {:4.0f} TFLOP/s | {:.3f} [{:.3f}, {:.3f}] | "
        "{}\n",
        shape.str(), to_string(choice), median(our_us), mega_flop / median(our_us), median(blas_us),
        mega_flop / median(blas_us), median(ratios), ratios[tenth], ratios[ratios.size() - 1 - tenth], difference);
    std::fflush(stdout);
    return row;
  }

  const Options& options_;
  Layout layout_;
  cudaStream_t stream_ = nullptr;
  DeviceMemory words_, worst_;
  int multiprocessors_ = 0;
};

nlohmann::ordered_json header(const Options& options) {
  cudaDeviceProp properties{};
  int driver = 0, runtime = 0;
  check(cudaGetDeviceProperties(&properties, 0), "asking the device");
  check(cudaDriverGetVersion(&driver), "asking the driver");
  check(cudaRuntimeGetVersion(&runtime), "asking the runtime");
  // Without the name of the file, which says where it lies on this machine.
  std::string command = fmt::format("bench_cuda_gemm --pairs {} --layout {}", options.pairs, options.layout);
  if (!options.shapes.empty()) command += fmt::format(" --shapes {}", fmt::join(options.shapes, ","));
  return {{"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))},
          {"gpu", properties.name},
          {"cuda_driver", driver},
          {"cuda_runtime", runtime},
          {"cublaslt", cublasLtGetVersion()},
          {"command", command},
          {"statistic",
           fmt::format("median of {} ratios of neighbours, cuBLASLt / meshmul; 10 and 90 percent", options.pairs)},
          {"warm_up", "9 calls of each algorithm of cuBLASLt, of which the fastest is taken; one call of the kernel"},
          {"data", "bf16, standard normal; operands in rotation, 400 MB or 2 pairs"}};
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CLI::App app{"The product kernel next to cuBLASLt, bf16"};
  app.add_option("--pairs", options.pairs, "Pairs of calls")->check(CLI::Range(10, 100'000));
  app.add_option("--layout", options.layout,
                 "Row-major operands: a is m x k (n) or k x m (t), then b is k x n (n) or n x k (t)")
      ->check(CLI::IsMember({"nn", "nt", "tn", "tt"}));
  app.add_option("--shapes", options.shapes,
                 "M x N x K, such as 4096x1792x4096; default: nine of tensor-parallel layers")
      ->delimiter(',');
  app.add_flag("--sweep", options.sweep, "Also all tiles, 15 pairs each");
  app.add_option("--json", options.json, "Write the result here");
  CLI11_PARSE(app, argc, argv);
  std::vector<Shape> shapes;
  for (const std::string& text : options.shapes) shapes.push_back(parse_shape(text));
  if (shapes.empty())
    for (const auto& [n, k] : {std::pair{1792, 4096}, {3584, 8192}, {6656, 16384}})
      for (const int m : {4096, 8192, 16384}) shapes.push_back({m, n, k});
  nlohmann::ordered_json result = header(options);
  Bench bench(options);
  double logarithms = 0;
  for (const Shape& shape : shapes) {
    result["results"].push_back(bench.run(shape));
    logarithms += std::log(result["results"].back()["ratio"].get<double>());
  }
  result["geometric_mean"] = std::exp(logarithms / static_cast<double>(shapes.size()));
  fmt::print("geometric mean {:.3f}\n", result["geometric_mean"].get<double>());
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << result.dump(2) << '\n';
    if (!file.flush()) throw std::runtime_error("cannot write " + options.json);
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 3;
}
