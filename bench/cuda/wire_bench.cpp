// Copies on a real wire beside a product that needs them: all shards of the rows but the first lie in memory of the
// host, and are copied chunk by chunk while the kernel multiplies. Next to the copies alone, the product alone, and the
// copies and then cuBLASLt; all in turn, medians.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
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
#include "execute/cuda/driver.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "execute/cuda/pinned_memory.hpp"
#include "execute/cuda/streams.hpp"
#include "gate.hpp"
#include "kernel_control.hpp"
#include "measure/result_header.hpp"
#include "meshmul/dtype.hpp"
#include "operands.hpp"
#include "shape.hpp"
#include "timing.hpp"

namespace {

using meshmul::Dtype;
using meshmul::cuda::check;
using meshmul::cuda::DeviceEvent;
using meshmul::cuda::DeviceMemory;
using meshmul::cuda::DeviceStream;
using meshmul::cuda::GemmRun;
using meshmul::cuda::PinnedMemory;
using meshmul::cuda::Product;
using meshmul::cuda::TileChoice;

constexpr Dtype kDtype = Dtype::kBf16;
constexpr std::int64_t kElementBytes = 2;
constexpr Layout kLayout{.a_rows_together = false, .b_columns_together = true};
constexpr meshmul::cuda::ProductKind kKind{.element = kDtype, .b_columns_together = true};
constexpr double kGoal = 1.03;

struct Options {
  int pairs = 101;
  int shards = 8;
  std::int64_t chunk_bytes = 4 << 20;
  int rows_together = 0;
  bool raise_among_copies = false;
  std::vector<std::string> shapes;
  std::string json;
};

/// Rows that are copied at a time.
struct Chunk {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// All rows but those of the first shard, in chunks of about `chunk_bytes`: whole tiles where that is enough for one.
std::vector<Chunk> cut(const Shape& shape, const Options& options) {
  const std::int64_t rows = std::max<std::int64_t>(1, options.chunk_bytes / (shape.k * kElementBytes));
  const std::int64_t step = rows < meshmul::cuda::kTileM ? rows : rows / meshmul::cuda::kTileM * meshmul::cuda::kTileM;
  std::vector<Chunk> chunks;
  for (std::int64_t row = shape.m / options.shards; row < shape.m; row += step)
    chunks.push_back({row, std::min(row + step, shape.m)});
  // All of a run is enqueued before it begins, and the queues of a device hold some thousand entries.
  constexpr std::size_t kMostChunks = 256;
  if (chunks.size() > kMostChunks)
    throw std::runtime_error(fmt::format("--chunk-bytes {}: {} chunks of {}; at most {} are measured",
                                         options.chunk_bytes, chunks.size(), shape.str(), kMostChunks));
  return chunks;
}

/// Everything of one shape.
class Wire {
 public:
  Wire(const Shape& shape, const Options& options, int multiprocessors)
      : shape_(shape),
        options_(options),
        chunks_(cut(shape, options)),
        operands_(make_operands(shape, kDtype, products_.get())),
        host_(static_cast<std::size_t>(shape.m * row_bytes())),
        ours_(static_cast<std::size_t>(shape.m * shape.n * kElementBytes)),
        other_(ours_.num_bytes()),
        raised_(chunks_.size() * sizeof(std::uint64_t)),
        blas_(shape, kLayout, kDtype, false),
        multiprocessors_(multiprocessors) {
    // One set of rows, which all operands of the rotation hold: there is one wire.
    check(cudaMemcpyAsync(host_.data(), operands_.a[0].data(), host_.num_bytes(), cudaMemcpyDeviceToHost,
                          products_.get()),
          "reading rows");
    for (std::size_t i = 1; i < operands_.a.size(); ++i)
      check(cudaMemcpyAsync(operands_.a[i].data(), operands_.a[0].data(), host_.num_bytes(), cudaMemcpyDeviceToDevice,
                            products_.get()),
            "writing rows");
    // In run 0 all signals are up.
    const std::vector<std::uint64_t> ones(chunks_.size(), 1);
    check(cudaMemcpyAsync(raised_.data(), ones.data(), raised_.num_bytes(), cudaMemcpyHostToDevice, products_.get()),
          "raising signals");
    check(cudaStreamSynchronize(products_.get()), "filling operands");
    for (std::size_t i = 0; i < chunks_.size(); ++i) arrived_.emplace_back(false);

    for (std::size_t i = 0; i < chunks_.size(); ++i)
      waits_.push_back({.word = signal(i), .raises_per_run = 1, .threshold = 1, .op = static_cast<std::int32_t>(i)});
    tiles_ = choose_tiles(kKind, {product(0)}, multiprocessors_);
    overlapped_tiles_ = tiles_;
    alone_ = make_runs(tiles_);
  }

  nlohmann::ordered_json measure() {
    blas_.choose(operands_, other_, products_.get());
    choose_order();
    for (std::size_t i = 0; i < alone_.size(); ++i) check_bits(i);
    std::vector<double> copy_us, product_us, overlapped_us, sequence_us, ratios, speed_ups, exposed_us;
    for (int round = -1; round < options_.pairs; ++round) {
      const std::size_t i = static_cast<std::size_t>(round + 1) % alone_.size();
      // Each product comes behind copies, so that the multiprocessors are equally cool when it begins.
      const double first_copy = timed(0, [&] { copy_all(i); });
      const double product = timed(0, [&] { alone_[i]->launch(products_.get()); });
      const double copy = (first_copy + timed(0, [&] { copy_all(i); })) / 2;
      const double overlapped = timed(++run_, [&] { overlap(i); });
      const double sequence = timed(0, [&] {
        copy_all(i);
        join_copies();
        blas_.run(operands_.a[i], operands_.b[i], other_, products_.get());
      });
      if (round < 0) continue;  // warms up
      copy_us.push_back(copy);
      product_us.push_back(product);
      overlapped_us.push_back(overlapped);
      sequence_us.push_back(sequence);
      ratios.push_back(overlapped / (std::max(copy, product) + chunk_us(copy)));
      speed_ups.push_back(sequence / overlapped);
      exposed_us.push_back(overlapped - product);
    }
    for (std::size_t i = 0; i < alone_.size(); ++i) check_bits(i);
    const double copy = median(copy_us), product = median(product_us), overlapped = median(overlapped_us);
    const auto [low, high] = tenths(ratios);
    const auto [low_speed_up, high_speed_up] = tenths(speed_ups);
    const bool copies_dominate = copy > product;
    fmt::print(
        "{:<18} copies {:8.1f} us {:4.1f} GB/s | product {:8.1f} us | overlapped {:8.1f} us, of {:<7} + a chunk {:.3f} "
        "[{:.3f}, {:.3f}]{} | copies, then cuBLASLt {:8.1f} us, {:.3f} times as long\n",
        shape_.str(), copy, gigabytes_per_second(copy), product, overlapped, copies_dominate ? "copies" : "product",
        median(ratios), low, high, median(ratios) <= kGoal ? "" : " above the goal", median(sequence_us),
        median(speed_ups));
    std::fflush(stdout);
    return {{"shape", shape_.str()},
            {"shards", options_.shards},
            {"tiles", to_string(tiles_)},
            {"overlapped_tiles", to_string(overlapped_tiles_)},
            {"chunks", chunks_.size()},
            {"chunk_bytes", (chunks_.front().end - chunks_.front().begin) * row_bytes()},
            {"wire_bytes", wire_bytes()},
            {"dominates", copies_dominate ? "copies" : "product"},
            {"copy_microseconds", copy},
            {"copy_gigabytes_per_second", gigabytes_per_second(copy)},
            {"product_microseconds", product},
            {"overlapped_microseconds", overlapped},
            {"overlapped_gigabytes_per_second", gigabytes_per_second(overlapped)},
            {"exposed_microseconds", median(exposed_us)},
            {"chunk_microseconds", chunk_us(copy)},
            {"sequence_microseconds", median(sequence_us)},
            {"ratio", median(ratios)},
            {"ratio_10_percent", low},
            {"ratio_90_percent", high},
            {"speed_up", median(speed_ups)},
            {"speed_up_10_percent", low_speed_up},
            {"speed_up_90_percent", high_speed_up}};
  }

 private:
  using Runs = std::vector<std::unique_ptr<GemmRun>>;  // by operand

  Product product(std::size_t operand) const {
    Product product{.m = shape_.m,
                    .n = shape_.n,
                    .parts = {{.a = operands_.a[operand].data(),
                               .b = operands_.b[operand].data(),
                               .a_stride = shape_.k,
                               .b_stride = shape_.n,
                               .k = shape_.k,
                               .num_waits = 0}},
                    .c = ours_.data(),
                    .c_stride = shape_.n,
                    .row_groups = {{static_cast<std::int32_t>(chunks_.front().begin), 0}},
                    .raises = {}};
    for (std::size_t i = 0; i < chunks_.size(); ++i)
      product.row_groups.push_back({static_cast<std::int32_t>(chunks_[i].end), static_cast<std::int32_t>(i + 1)});
    return product;
  }

  Runs make_runs(const TileChoice& tiles) const {
    Runs runs;
    for (std::size_t i = 0; i < operands_.a.size(); ++i)
      runs.push_back(std::make_unique<GemmRun>(kKind, std::vector<Product>{product(i)}, waits_, control_.epoch(),
                                               nullptr, control_.wait(), tiles, multiprocessors_));
    return runs;
  }

  /// Bands of many rows spare the cache of the device, and those of few rows wait for fewer of them: the fastest
  /// overlapped, by some runs of each.
  void choose_order() {
    std::vector<int> candidates{1, 2, 4, 8};
    if (options_.rows_together > 0) candidates = {options_.rows_together};
    double best_us = 0;
    Runs best;
    for (const int rows : candidates) {
      TileChoice tiles = tiles_;
      tiles.rows_together = rows;
      overlapping_ = make_runs(tiles);
      constexpr std::size_t kRuns = 9;
      std::vector<double> us;
      for (std::size_t i = 0; i < kRuns; ++i) us.push_back(timed(++run_, [&] { overlap(i % overlapping_.size()); }));
      if (!best.empty() && median(us) >= best_us) continue;
      best_us = median(us);
      best = std::move(overlapping_);
      overlapped_tiles_ = tiles;
    }
    overlapping_ = std::move(best);
  }

  std::int64_t row_bytes() const { return shape_.k * kElementBytes; }
  std::int64_t wire_bytes() const { return (shape_.m - chunks_.front().begin) * row_bytes(); }
  double gigabytes_per_second(double us) const { return 1e-3 * static_cast<double>(wire_bytes()) / us; }
  /// Of one chunk on the wire.
  double chunk_us(double copy_us) const {
    const std::int64_t rows = chunks_.front().end - chunks_.front().begin;
    return copy_us * static_cast<double>(rows * row_bytes()) / static_cast<double>(wire_bytes());
  }
  std::uint64_t* signal(std::size_t chunk) const { return raised_.as<std::uint64_t>() + chunk; }

  void copy(std::size_t operand, const Chunk& rows) const {
    const std::int64_t offset = rows.begin * row_bytes();
    check(cudaMemcpyAsync(operands_.a[operand].data() + offset, host_.data() + offset,
                          static_cast<std::size_t>((rows.end - rows.begin) * row_bytes()), cudaMemcpyHostToDevice,
                          copies_.get()),
          "copying rows");
  }

  /// As whoever multiplies afterwards would: shard by shard, without signals.
  void copy_all(std::size_t operand) const {
    for (int shard = 1; shard < options_.shards; ++shard)
      copy(operand, {shape_.m * shard / options_.shards, shape_.m * (shard + 1) / options_.shards});
  }

  /// Products go on behind the copies.
  void join_copies() const {
    check(cudaEventRecord(copied_.get(), copies_.get()), "ending copies");
    check(cudaStreamWaitEvent(products_.get(), copied_.get()), "ending copies");
  }

  static void write(cudaStream_t stream, std::uint64_t* word, std::uint64_t value) {
    check(meshmul::cuda::driver().stream_write_value(stream, reinterpret_cast<CUdeviceptr>(word), value,
                                                     CU_STREAM_WRITE_VALUE_DEFAULT),
          "writing a word");
  }

  /// Copies, then the kernel: streams may share a queue, and what stands behind a kernel that waits for it never comes.
  void overlap(std::size_t operand) const {
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      copy(operand, chunks_[i]);
      if (options_.raise_among_copies) {
        write(copies_.get(), signal(i), run_ + 1);
        continue;
      }
      // On a stream of its own the write leaves no gap between two copies.
      check(cudaEventRecord(arrived_[i].get(), copies_.get()), "raising a signal");
      check(cudaStreamWaitEvent(raises_.get(), arrived_[i].get()), "raising a signal");
      write(raises_.get(), signal(i), run_ + 1);
    }
    overlapping_[operand]->launch(products_.get());
  }

  /// Microseconds from the first that the device does of what `call` enqueues, as run `run` of the kernel, to the last.
  template <class Call>
  double timed(std::uint64_t run, Call call) {
    write(products_.get(), control_.epoch(), run);
    {
      const Gate::Closed closed(gate_, products_.get());
      check(cudaEventRecord(begin_.get(), products_.get()), "noting the time");
      check(cudaStreamWaitEvent(copies_.get(), begin_.get()), "beginning copies");
      call();
      join_copies();
      check(cudaEventRecord(end_.get(), products_.get()), "noting the time");
    }
    const double us = microseconds_between(begin_, end_);
    // The last signal may be on its way yet.
    check(cudaStreamSynchronize(raises_.get()), "raising signals");
    return us;
  }

  /// What is overlapped has the bits of the product alone, when rows that have not come are not numbers.
  void check_bits(std::size_t operand) {
    timed(0, [&] {
      copy_all(operand);
      join_copies();
      alone_[operand]->launch(products_.get());
    });
    check(cudaMemcpyAsync(other_.data(), ours_.data(), ours_.num_bytes(), cudaMemcpyDeviceToDevice, products_.get()),
          "keeping a result");
    check(cudaMemsetAsync(ours_.data(), 0xFF, ours_.num_bytes(), products_.get()), "poisoning a result");
    check(cudaMemsetAsync(operands_.a[operand].data() + chunks_.front().begin * row_bytes(), 0xFF,
                          static_cast<std::size_t>(wire_bytes()), products_.get()),
          "poisoning rows");
    timed(++run_, [&] { overlap(operand); });
    const DeviceMemory different(sizeof(unsigned long long));
    check(cudaMemsetAsync(different.data(), 0, different.num_bytes(), products_.get()), "comparing results");
    count_different(ours_.data(), other_.data(), shape_.m * shape_.n, different.as<unsigned long long>(),
                    products_.get());
    unsigned long long count = 0;
    check(cudaMemcpyAsync(&count, different.data(), sizeof count, cudaMemcpyDeviceToHost, products_.get()),
          "comparing results");
    check(cudaStreamSynchronize(products_.get()), "comparing results");
    if (control_.expired()) throw std::runtime_error(shape_.str() + ": a chunk has not come within a second");
    if (count != 0)
      throw std::runtime_error(
          fmt::format("{}: {} elements differ from those of the product alone", shape_.str(), count));
  }

  Shape shape_;
  const Options& options_;
  std::vector<Chunk> chunks_;
  DeviceStream products_{false}, copies_{true}, raises_{true};
  Gate gate_;
  DeviceEvent begin_{true}, end_{true}, copied_{false};
  std::vector<DeviceEvent> arrived_;  // by chunk
  Operands operands_;
  PinnedMemory host_;
  DeviceMemory ours_, other_, raised_;
  KernelControl control_;
  BlasProduct blas_;
  TileChoice tiles_, overlapped_tiles_;
  int multiprocessors_;
  std::vector<meshmul::cuda::SignalWait> waits_;  // by chunk
  Runs alone_, overlapping_;
  std::uint64_t run_ = 0;  // the last one that was overlapped
};

nlohmann::ordered_json header(const Options& options) {
  nlohmann::ordered_json header = meshmul::measure::result_header(
      {.statistic =
           "ratio: median of the ratios of neighbours, overlapped / (longer one of copies and product + one chunk), "
           "and 10 and 90 percent of them; speed_up: copies, then cuBLASLt / overlapped; times: medians",
       .warm_up = "9 calls of each algorithm of cuBLASLt, of which the fastest is taken; 9 overlapped runs of each "
                  "order of tiles, so too; runs that are checked; one round",
       .pairs = options.pairs,
       .on_gpu = true});
  header["cublaslt"] = cublasLtGetVersion();
  header["benchmark"] = "wire";
  header["data"] = fmt::format(
      "{}, standard normal; operands in rotation, 400 MB or 2 pairs; all rows but the first of "
      "{} shards come from pinned memory of the host",
      meshmul::name(kDtype), options.shards);
  header["raises"] = options.raise_among_copies ? "on the stream of the copies" : "on a stream of their own";
  header["goal"] = kGoal;
  return header;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CLI::App app{"Copies on a real wire beside a product that needs them"};
  app.add_option("--pairs", options.pairs, "Rounds of all that is compared")->check(CLI::Range(10, 100'000));
  app.add_option("--shards", options.shards, "Shards of the rows, of which the first is there")
      ->check(CLI::Range(2, 64))
      ->capture_default_str();
  app.add_option("--chunk-bytes", options.chunk_bytes, "What is copied at a time, about")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  app.add_option("--rows-together", options.rows_together,
                 "Rows of tiles that are overlapped in a band; 0: the fastest of 1, 2, 4, 8")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_flag("--raise-among-copies", options.raise_among_copies, "Raise signals on the stream of the copies");
  app.add_option("--shapes", options.shapes,
                 "M x N x K, such as 8192x3584x8192; default: three whose copies take longer, two whose products do")
      ->delimiter(',');
  app.add_option("--json", options.json, "Write the result here");
  CLI11_PARSE(app, argc, argv);
  std::vector<Shape> shapes = parse_shapes(options.shapes);
  // At 55 GB/s and 700 TFLOP/s copies of 7/8 of the rows take 11000 / N times as long as the product.
  if (shapes.empty())
    shapes = {{16384, 1792, 4096}, {8192, 3584, 8192}, {16384, 6656, 16384}, {8192, 16384, 8192}, {4096, 28672, 8192}};
  for (const Shape& shape : shapes)
    if (shape.m < options.shards) throw std::runtime_error(shape.str() + ": fewer rows than --shards");
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "asking the device");
  nlohmann::ordered_json result = header(options);
  for (const Shape& shape : shapes) result["results"].push_back(Wire(shape, options, multiprocessors).measure());
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
