// The product kernel with nothing to wait for, next to the fastest of the algorithms that cuBLASLt proposes; and next
// to itself with waits or an epilogue. Both in turn on random normal numbers, operands in rotation past the cache of the
// device; medians of the ratios of neighbours.

#include <cublasLt.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "blas_product.hpp"
#include "device_data.hpp"
#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "kernel_control.hpp"
#include "measure/result_header.hpp"
#include "meshmul/dtype.hpp"
#include "operands.hpp"
#include "shape.hpp"
#include "timing.hpp"

namespace {

using meshmul::Dtype;
using meshmul::cuda::check;
using meshmul::cuda::DeviceMemory;
using meshmul::cuda::EpilogueStep;
using meshmul::cuda::GemmRun;
using meshmul::cuda::Product;
using meshmul::cuda::SignalWait;
using meshmul::cuda::TileChoice;

struct Options {
  int pairs = 101;
  std::vector<std::string> shapes;
  std::string layout;
  Dtype dtype = Dtype::kBf16;
  bool fast_sums = false;
  bool waits = false;
  std::string epilogue;
  bool sweep = false;
  std::string json;
};

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options),
        layout_{.a_rows_together = options.layout[0] == 't', .b_columns_together = options.layout[1] == 'n'},
        raised_(8 * kChunks),
        worst_(sizeof(float)) {
    check(cudaStreamCreate(&stream_), "making a stream");
    check(cudaMemset(raised_.data(), 1, raised_.num_bytes()), "raising signals");
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, 0), "asking the device");
  }

  nlohmann::ordered_json run(const Shape& shape) {
    const Operands operands = make_operands(shape, options_.dtype, stream_);
    const DeviceMemory ours(static_cast<std::size_t>(2 * shape.m * shape.n)), theirs(ours.num_bytes());
    check(cudaMemsetAsync(ours.data(), 0xFF, ours.num_bytes(), stream_), "poisoning a result");
    BlasProduct blas(shape, layout_, options_.dtype, options_.fast_sums);
    const StopWatch time(stream_);
    blas.choose(operands, theirs, stream_);
    const meshmul::cuda::ProductKind kind{.element = options_.dtype,
                                          .a_rows_together = layout_.a_rows_together,
                                          .b_columns_together = layout_.b_columns_together,
                                          .fast_sums = options_.fast_sums};
    const auto product = [&](std::size_t i) {
      return Product{.m = shape.m,
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
                     .raises = {}};
    };
    const auto make_runs = [&](const TileChoice& choice, const std::vector<SignalWait>& waits, const auto& change) {
      std::vector<std::unique_ptr<GemmRun>> runs;
      for (std::size_t i = 0; i < operands.a.size(); ++i) {
        Product changed = product(i);
        change(changed);
        runs.push_back(std::make_unique<GemmRun>(kind, std::vector<Product>{changed}, waits, control_.epoch(), nullptr,
                                                 control_.wait(), choice, multiprocessors_));
      }
      return runs;
    };
    std::vector<TileChoice> choices{choose_tiles(kind, {product(0)}, multiprocessors_)};
    if (options_.sweep)
      for (const meshmul::cuda::GemmKernel& kernel : meshmul::cuda::gemm_kernels())
        if (multiplies(kernel.key, kind) && !kernel.key.epilogue)
          for (const int cluster : {2, 1})
            for (const int together : {4, 8, 16}) choices.push_back({kernel.key.tile_n, cluster, together});
    nlohmann::ordered_json first;
    for (const TileChoice& choice : choices) {
      const auto runs = make_runs(choice, {}, [](Product&) {});
      runs[0]->launch(stream_);
      blas.run(operands.a[0], operands.b[0], theirs, stream_);
      const float difference = largest_difference_of(ours, theirs, shape);
      Pairs pairs;
      const int rounds = first.is_null() ? options_.pairs : std::min(options_.pairs, 15);
      for (int round = 0; round < rounds; ++round) {
        const std::size_t i = static_cast<std::size_t>(round) % operands.a.size();
        const double blas_us = time([&] { blas.run(operands.a[i], operands.b[i], theirs, stream_); });
        pairs.add(blas_us, time([&] { runs[i]->launch(stream_); }));
      }
      const nlohmann::ordered_json row = report(shape, choice, pairs, difference);
      if (!first.is_null()) continue;
      first = row;
      if (options_.waits)
        first["waits"] = next_to_plain("with waits", runs, make_runs(choice, waits(), [&](Product& changed) {
                                         changed.row_groups = row_groups(shape);
                                       }));
      if (!options_.epilogue.empty()) {
        const DeviceMemory operand = epilogue_operand(shape);
        first["epilogue"] = next_to_plain(options_.epilogue, runs, make_runs(choice, {}, [&](Product& changed) {
                                            changed.epilogue = epilogue(shape, operand);
                                          }));
      }
    }
    return first;
  }

 private:
  /// One signal for an eighth of the rows each, all raised.
  std::vector<SignalWait> waits() const {
    std::vector<SignalWait> waits;
    for (std::int32_t i = 0; i < kChunks; ++i) waits.push_back({raised_.as<std::uint64_t>() + i, 1, 1, i});
    return waits;
  }
  static std::vector<meshmul::cuda::RowGroup> row_groups(const Shape& shape) {
    std::vector<meshmul::cuda::RowGroup> groups;
    for (std::int32_t i = 1; i <= kChunks; ++i) groups.push_back({static_cast<std::int32_t>(shape.m * i / kChunks), i});
    return groups;
  }

  /// A row of bias, or a matrix that is added as often as there are terms.
  DeviceMemory epilogue_operand(const Shape& shape) const {
    const std::int64_t count = options_.epilogue == "terms" ? shape.m * shape.n : shape.n;
    DeviceMemory operand(static_cast<std::size_t>(2 * count));
    fill_normal(operand.data(), Dtype::kBf16, count, 5, stream_);
    return operand;
  }
  std::vector<EpilogueStep> epilogue(const Shape& shape, const DeviceMemory& operand) const {
    using meshmul::MapFunction;
    if (options_.epilogue == "gelu") return {{.function = MapFunction::kGelu}};
    if (options_.epilogue == "silu") return {{.function = MapFunction::kSilu}};
    EpilogueStep step{.function = MapFunction::kBias,
                      .operand = operand.data(),
                      .row_stride = 0,
                      .column_stride = 1,
                      .dtype = Dtype::kBf16};
    if (options_.epilogue == "bias") return {step};
    step.function = MapFunction::kAdd;
    step.row_stride = shape.n;
    step.rounded_to = Dtype::kBf16;
    constexpr std::size_t kTerms = 3;
    return std::vector<EpilogueStep>(kTerms, step);
  }

  /// Time of changed runs over that of the plain ones.
  nlohmann::ordered_json next_to_plain(const std::string& name, const std::vector<std::unique_ptr<GemmRun>>& plain,
                                       const std::vector<std::unique_ptr<GemmRun>>& changed) const {
    const StopWatch time(stream_);
    changed[0]->launch(stream_);
    Pairs pairs;
    for (int round = 0; round < options_.pairs; ++round) {
      const std::size_t i = static_cast<std::size_t>(round) % plain.size();
      const double plain_us = time([&] { plain[i]->launch(stream_); });
      pairs.add(time([&] { changed[i]->launch(stream_); }), plain_us);
    }
    const auto [low, high] = tenths(pairs.ratios);
    fmt::print("{:<18} {:<46} {:9.1f} us              | plain    {:9.1f} us              | {:.3f} [{:.3f}, {:.3f}]\n",
               "", name, median(pairs.first_us), median(pairs.second_us), median(pairs.ratios), low, high);
    std::fflush(stdout);
    return {{"what", name},
            {"microseconds", median(pairs.first_us)},
            {"plain_microseconds", median(pairs.second_us)},
            {"ratio", median(pairs.ratios)},
            {"ratio_10_percent", low},
            {"ratio_90_percent", high}};
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

  nlohmann::ordered_json report(const Shape& shape, const TileChoice& choice, const Pairs& pairs,
                                float difference) const {
    const double blas_us = median(pairs.first_us), our_us = median(pairs.second_us), ratio = median(pairs.ratios);
    const auto [low, high] = tenths(pairs.ratios);
    nlohmann::ordered_json row{{"shape", shape.str()},
                               {"tiles", to_string(choice)},
                               {"microseconds", our_us},
                               {"cublaslt_microseconds", blas_us},
                               {"teraflops", shape.mega_flop() / our_us},
                               {"cublaslt_teraflops", shape.mega_flop() / blas_us},
                               {"ratio", ratio},
                               {"ratio_10_percent", low},
                               {"ratio_90_percent", high},
                               {"largest_difference", difference}};
    fmt::print(
        "{:<18} {:<46} {:9.1f} us {:4.0f} TFLOP/s | cuBLASLt {:9.1f} us {:4.0f} TFLOP/s | {:.3f} [{:.3f}, {:.3f}] | "
        "{}\n",
        shape.str(), to_string(choice), our_us, shape.mega_flop() / our_us, blas_us, shape.mega_flop() / blas_us, ratio,
        low, high, difference);
    std::fflush(stdout);
    return row;
  }

  static constexpr std::int32_t kChunks = 8;
  const Options& options_;
  Layout layout_;
  cudaStream_t stream_ = nullptr;
  KernelControl control_;
  DeviceMemory raised_, worst_;
  int multiprocessors_ = 0;
};

nlohmann::ordered_json header(const Options& options) {
  nlohmann::ordered_json header = meshmul::measure::result_header(
      {.statistic = "ratio: median of the ratios of neighbours, cuBLASLt / meshmul, and 10 and 90 percent of them; "
                    "times: medians",
       .warm_up = "9 calls of each algorithm of cuBLASLt, of which the fastest is taken; one call of the kernel",
       .pairs = options.pairs,
       .on_gpu = true});
  header["cublaslt"] = cublasLtGetVersion();
  header["benchmark"] = "product";
  header["layout"] = options.layout;
  header["dtype"] = meshmul::name(options.dtype);
  header["fast_sums"] = options.fast_sums;
  header["data"] = fmt::format("{}, standard normal; results in bf16; operands in rotation, 400 MB or 2 pairs",
                               meshmul::name(options.dtype));
  return header;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CLI::App app{"The product kernel next to cuBLASLt"};
  std::string dtype = "bf16";
  app.add_option("--pairs", options.pairs, "Pairs of calls")->check(CLI::Range(10, 100'000));
  app.add_option("--layout", options.layout,
                 "Row-major operands: a is m x k (n) or k x m (t), then b is k x n (n) or n x k (t); default: nn, of "
                 "f8e4m3 nt, which is all that there is")
      ->check(CLI::IsMember({"nn", "nt", "tn", "tt"}));
  app.add_option("--shapes", options.shapes,
                 "M x N x K, such as 4096x1792x4096; default: nine of tensor-parallel layers")
      ->delimiter(',');
  app.add_option("--dtype", dtype, "Of the operands")->check(CLI::IsMember({"bf16", "f8e4m3"}));
  app.add_flag("--fast-sums", options.fast_sums, "Sums of f8e4m3 as the hardware holds them, in both");
  app.add_flag("--waits", options.waits, "Also with a signal for each eighth of the rows, all raised, next to without");
  app.add_option("--epilogue", options.epilogue,
                 "Also with a bias, a function, or three matrices to add, next to without")
      ->check(CLI::IsMember({"bias", "gelu", "silu", "terms"}));
  app.add_flag("--sweep", options.sweep, "Also all tiles, 15 pairs each");
  app.add_option("--json", options.json, "Write the result here");
  CLI11_PARSE(app, argc, argv);
  options.dtype = *meshmul::parse_dtype(dtype);
  const bool is_f8 = options.dtype == Dtype::kF8e4m3;
  if (options.layout.empty()) options.layout = is_f8 ? "nt" : "nn";
  if (is_f8 && options.layout != "nt") throw std::runtime_error("--layout: operands of f8e4m3 are nt");
  if (options.fast_sums && !is_f8) throw std::runtime_error("--fast-sums: only sums of f8e4m3 can be fast");
  std::vector<Shape> shapes = parse_shapes(options.shapes);
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
