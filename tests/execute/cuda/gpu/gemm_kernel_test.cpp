// The product kernel on a GPU: small whole numbers in memory around which nothing may be written, and every sum exact.

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "execute/cuda/pinned_memory.hpp"
#include "execute/cuda/stream_ops.hpp"
#include "meshmul/element.hpp"

namespace meshmul::cuda {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

/// A dense matrix of the host and the same on the device, with a canary of 256 bytes on either side.
class TestMatrix {
 public:
  TestMatrix(Dtype element, std::int64_t rows, std::int64_t columns, std::int64_t stride, std::int64_t shift = 0)
      : element_(element),
        rows_(rows),
        columns_(columns),
        stride_(stride),
        shift_(shift * size_bytes(element)),
        bytes_(static_cast<std::size_t>(rows * stride * size_bytes(element) + shift_) + 2 * kCanary, std::byte{0xFF}),
        device_(bytes_.size()) {}

  void fill(std::mt19937& random) {
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) set(i, j, static_cast<float>(static_cast<int>(random() % 5) - 2));
  }
  void upload() { check(cudaMemcpy(device_.data(), bytes_.data(), bytes_.size(), cudaMemcpyHostToDevice), "upload"); }
  std::vector<std::byte> download() const {
    std::vector<std::byte> bytes(bytes_.size());
    check(cudaMemcpy(bytes.data(), device_.data(), bytes.size(), cudaMemcpyDeviceToHost), "download");
    return bytes;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::byte* device() const { return device_.data() + kCanary + shift_; }

  float get(std::int64_t i, std::int64_t j) const {
    const std::byte* at = bytes_.data() + offset(i, j);
    return with_element_type(element_, [&]<class T>() { return convert<float>(*reinterpret_cast<const T*>(at)); });
  }
  void set(std::int64_t i, std::int64_t j, float value) {
    std::byte* at = bytes_.data() + offset(i, j);
    with_element_type(element_, [&]<class T>() { *reinterpret_cast<T*>(at) = convert<T>(value); });
  }

 private:
  static constexpr std::int64_t kCanary = 256;
  std::size_t offset(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(kCanary + shift_ + (i * stride_ + j) * size_bytes(element_));
  }
  Dtype element_;
  std::int64_t rows_, columns_, stride_, shift_;
  std::vector<std::byte> bytes_;
  DeviceMemory device_;
};

/// The words that a run needs: the number of the run, and the record of a wait that ran out.
struct Control {
  DeviceMemory epoch{8};
  PinnedMemory expired{sizeof(ExpiredWait)};
  Control() { check(cudaMemset(epoch.data(), 0, 8), "epoch"); }
  WaitControl wait(std::uint64_t budget_ns = 10 * kSecond) const {
    return {reinterpret_cast<ExpiredWait*>(expired.data()), budget_ns};
  }
  const ExpiredWait& record() const { return *reinterpret_cast<const ExpiredWait*>(expired.data()); }
};

struct KernelCase {
  ProductKind kind;
  Dtype output = Dtype::kBf16;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t c_shift = 0;  ///< elements
  std::int64_t c_extra = 0;  ///< elements from the end of a row to the next
  bool accumulate = false;
};

std::string to_string(const KernelCase& c) {
  return fmt::format("element {}, a rows {}, b columns {}, output {}, {} x {} x {}, c shift {} extra {}, accumulate {}",
                     static_cast<int>(c.kind.element), c.kind.a_rows_together, c.kind.b_columns_together,
                     static_cast<int>(c.output), c.m, c.n, c.k, c.c_shift, c.c_extra, c.accumulate);
}

std::int64_t aligned(std::int64_t extent, Dtype element) {
  const std::int64_t most = 16 / size_bytes(element);
  return (extent + most - 1) / most * most;
}

/// Empty if the product is right and nothing else was written.
std::string failure_of(const KernelCase& c, const TileChoice& choice, std::int32_t num_blocks, unsigned seed) {
  std::mt19937 random(seed);
  const auto matrix = [&](std::int64_t outer, bool outer_together) {
    const std::int64_t rows = outer_together ? c.k : outer, columns = outer_together ? outer : c.k;
    return TestMatrix(c.kind.element, rows, columns, aligned(columns, c.kind.element));
  };
  TestMatrix a = matrix(c.m, c.kind.a_rows_together), b = matrix(c.n, c.kind.b_columns_together);
  TestMatrix result(c.output, c.m, c.n, c.n + c.c_extra, c.c_shift);
  a.fill(random);
  b.fill(random);
  if (c.accumulate) result.fill(random);
  a.upload();
  b.upload();
  result.upload();
  const Control control;
  const Product product{.m = c.m,
                        .n = c.n,
                        .parts = {{.a = a.device(),
                                   .b = b.device(),
                                   .a_stride = aligned(c.kind.a_rows_together ? c.m : c.k, c.kind.element),
                                   .b_stride = aligned(c.kind.b_columns_together ? c.n : c.k, c.kind.element),
                                   .k = c.k,
                                   .num_waits = 0}},
                        .c = result.device(),
                        .c_stride = c.n + c.c_extra,
                        .output = c.output,
                        .accumulate = c.accumulate,
                        .row_groups = {},
                        .raises = {}};
  const GemmRun run(c.kind, {product}, {}, control.epoch.as<std::uint64_t>(), control.wait(), choice, num_blocks);
  run.launch(nullptr);
  check(cudaDeviceSynchronize(), to_string(c));
  for (std::int64_t i = 0; i < c.m; ++i)
    for (std::int64_t j = 0; j < c.n; ++j) {
      float sum = c.accumulate ? result.get(i, j) : 0;
      for (std::int64_t k = 0; k < c.k; ++k)
        sum += (c.kind.a_rows_together ? a.get(k, i) : a.get(i, k)) *
               (c.kind.b_columns_together ? b.get(k, j) : b.get(j, k));
      result.set(i, j, sum);
    }
  if (result.download() == result.bytes()) return "";
  const std::vector<std::byte> got = result.download();
  std::size_t wrong = 0, first = got.size();
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != result.bytes()[i]) {
      ++wrong;
      first = std::min(first, i);
    }
  return fmt::format("{}, {}, {} blocks: {} of {} bytes are wrong, the first is byte {}", to_string(c),
                     to_string(choice), num_blocks, wrong, got.size(), static_cast<long>(first) - 256);
}

TEST(GemmKernel, IsExactForEveryKernelAndSizesThatDivideNothing) {
  std::mt19937 random(20261130);
  constexpr std::int64_t kRows[] = {1, 7, 33, 64, 127, 128, 129, 257, 400};
  constexpr std::int64_t kColumns[] = {1, 8, 17, 64, 130, 208, 224, 255, 256, 300, 520};
  constexpr std::int64_t kInner[] = {1, 8, 24, 63, 64, 72, 130, 200, 330};
  for (const GemmKernel& kernel : gemm_kernels())
    for (int i = 0; i < 12; ++i) {
      KernelCase c;
      c.kind = {kernel.key.element, kernel.key.a_rows_together, kernel.key.b_columns_together};
      c.m = kRows[random() % std::size(kRows)];
      c.n = kColumns[random() % std::size(kColumns)];
      c.k = kInner[random() % std::size(kInner)];
      constexpr Dtype kOutputs[] = {Dtype::kBf16, Dtype::kF16, Dtype::kF32, Dtype::kF8e4m3};
      // Sums of f8 are whole numbers up to 16 only where they are few.
      c.output = kOutputs[random() % 3];
      if (i % 6 == 5) {
        c.output = Dtype::kF8e4m3;
        c.k = 4;
      }
      c.c_shift = random() % 3 == 0 ? static_cast<std::int64_t>(random() % 8) : 0;
      c.c_extra = random() % 2 == 0 ? static_cast<std::int64_t>(random() % 16) : 0;
      c.accumulate = random() % 4 == 0 && c.output != Dtype::kF8e4m3;
      const TileChoice choice{.tile_n = kernel.key.tile_n,
                              .cluster = random() % 2 == 0 ? 2 : 1,
                              .rows_together = 1 + static_cast<std::int32_t>(random() % 8)};
      constexpr std::int32_t kBlocks[] = {2, 16, 78, 132};
      ASSERT_EQ(failure_of(c, choice, kBlocks[random() % std::size(kBlocks)], static_cast<unsigned>(random())), "");
    }
}

/// `chunks` of rows lie below one another; each comes with a signal that the host raises late, out of order, after it
/// has written the rows. Parts of the contraction come after signals of their own.
TEST(GemmKernel, WaitsForEachChunkAloneRunAfterRun) {
  constexpr std::int64_t kN = 300, kK = 200;
  const std::vector<std::int64_t> chunks{5, 130, 64, 191};
  std::int64_t m = 0;
  for (const std::int64_t rows : chunks) m += rows;
  TestMatrix a(Dtype::kBf16, m, kK, kK), b(Dtype::kBf16, kN, kK, kK), c(Dtype::kBf16, m, kN, 304);
  std::mt19937 random(7);
  b.fill(random);
  b.upload();
  c.upload();
  const Control control;
  const DeviceMemory words(8 * chunks.size());
  check(cudaMemset(words.data(), 0, words.num_bytes()), "words");
  std::vector<SignalWait> waits;
  Product product{
      .m = m,
      .n = kN,
      .parts = {{.a = a.device(), .b = b.device(), .a_stride = kK, .b_stride = kK, .k = kK, .num_waits = 0}},
      .c = c.device(),
      .c_stride = 304,
      .row_groups = {},
      .raises = {}};
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    waits.push_back({words.as<std::uint64_t>() + i, 1, 1, static_cast<std::int32_t>(i)});
    rows += chunks[i];
    product.row_groups.push_back({static_cast<std::int32_t>(rows), static_cast<std::int32_t>(i + 1)});
  }
  const ProductKind kind{.element = Dtype::kBf16};
  const GemmRun run(kind, {product}, waits, control.epoch.as<std::uint64_t>(), control.wait(),
                    {.tile_n = 128, .cluster = 2, .rows_together = 1}, 132);
  load_stream_kernels();
  cudaStream_t products = nullptr, copies = nullptr;
  check(cudaStreamCreateWithFlags(&products, cudaStreamNonBlocking), "stream");
  check(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking), "stream");
  for (std::uint64_t epoch = 0; epoch < 5; ++epoch) {
    check(cudaMemcpy(control.epoch.data(), &epoch, 8, cudaMemcpyHostToDevice), "epoch");
    // Rows that were not waited for are not numbers.
    check(cudaMemset(a.device(), 0xFF, static_cast<std::size_t>(m * kK * 2)), "poison");
    check(cudaDeviceSynchronize(), "poison");
    run.launch(products);
    a.fill(random);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const std::size_t bytes = static_cast<std::size_t>(chunks[i] * kK * 2);
      check(cudaMemcpyAsync(a.device() + begin * kK * 2, a.bytes().data() + 256 + begin * kK * 2, bytes,
                            cudaMemcpyHostToDevice, copies),
            "rows");
      raise_in_stream({words.as<std::uint64_t>() + i, 1, 1}, control.epoch.as<std::uint64_t>(), copies);
      begin += chunks[i];
    }
    check(cudaDeviceSynchronize(), "running");
    ASSERT_EQ(control.record().state, 0U);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < kN; ++j) {
        float sum = 0;
        for (std::int64_t k = 0; k < kK; ++k) sum += a.get(i, k) * b.get(j, k);
        c.set(i, j, sum);
      }
    ASSERT_TRUE(c.download() == c.bytes()) << "run " << epoch;
  }
  cudaStreamDestroy(products);
  cudaStreamDestroy(copies);
}

TEST(GemmKernel, DrainsAndSaysWhichWaitRanOut) {
  TestMatrix a(Dtype::kBf16, 1000, 64, 64), b(Dtype::kBf16, 600, 64, 64), c(Dtype::kBf16, 1000, 600, 600);
  const Control control;
  const DeviceMemory words(16);
  check(cudaMemset(words.data(), 0, 16), "words");
  const std::vector<SignalWait> waits{{words.as<std::uint64_t>(), 1, 0, 3}, {words.as<std::uint64_t>() + 1, 1, 1, 42}};
  const Product product{
      .m = 1000,
      .n = 600,
      .parts = {{.a = a.device(), .b = b.device(), .a_stride = 64, .b_stride = 64, .k = 64, .num_waits = 0}},
      .c = c.device(),
      .c_stride = 600,
      .row_groups = {{500, 1}, {1000, 2}},
      .raises = {}};
  const GemmRun run({.element = Dtype::kBf16}, {product}, waits, control.epoch.as<std::uint64_t>(),
                    control.wait(kSecond / 100), {.tile_n = 128, .cluster = 2}, 132);
  run.launch(nullptr);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(control.record().state, 2U);
  EXPECT_EQ(control.record().op, 42);
  EXPECT_EQ(control.record().expected, 1U);
  EXPECT_EQ(control.record().seen, 0U);
  // The device goes on.
  EXPECT_EQ(failure_of({.kind = {}, .m = 64, .n = 64, .k = 64}, {.tile_n = 128, .cluster = 1}, 16, 1), "");
}

TEST(GemmKernel, RaisesSignalsOfPiecesInOrderOnceTheyAreWritten) {
  constexpr int kPieces = 5;
  std::mt19937 random(3);
  TestMatrix a(Dtype::kBf16, 300, 128, 128), b(Dtype::kBf16, 300, 128, 128);
  a.fill(random);
  b.fill(random);
  a.upload();
  b.upload();
  const Control control;
  const DeviceMemory words(8);
  check(cudaMemset(words.data(), 0, 8), "words");
  std::vector<TestMatrix> results;
  std::vector<Product> products;
  for (std::uint64_t i = 0; i < kPieces; ++i) {
    results.emplace_back(Dtype::kF32, 300, 300, 300);
    products.push_back(
        {.m = 300,
         .n = 300,
         .parts = {{.a = a.device(), .b = b.device(), .a_stride = 128, .b_stride = 128, .k = 128, .num_waits = 0}},
         .c = results.back().device(),
         .c_stride = 300,
         .output = Dtype::kF32,
         .row_groups = {},
         .raises = {{words.as<std::uint64_t>(), kPieces, i + 1}}});
  }
  const GemmRun run({.element = Dtype::kBf16}, products, {}, control.epoch.as<std::uint64_t>(), control.wait(),
                    {.tile_n = 192, .cluster = 2}, 8);
  for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
    check(cudaMemcpy(control.epoch.data(), &epoch, 8, cudaMemcpyHostToDevice), "epoch");
    run.launch(nullptr);
    check(cudaDeviceSynchronize(), "running");
    std::uint64_t word = 0;
    check(cudaMemcpy(&word, words.data(), 8, cudaMemcpyDeviceToHost), "word");
    EXPECT_EQ(word, (epoch + 1) * kPieces);
  }
}

}  // namespace
}  // namespace meshmul::cuda
