// The product kernel on a GPU: exact products of any extents, waits and raises.

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>
#include <random>
#include <vector>

#include "kernel_case.hpp"

namespace meshmul::cuda {
namespace {

TEST(GemmKernel, IsExactForEveryKernelAndSizesThatDivideNothing) {
  std::mt19937 random(20261130);
  constexpr std::int64_t kRows[] = {1, 7, 33, 64, 127, 128, 129, 257, 400};
  constexpr std::int64_t kColumns[] = {1, 8, 17, 64, 130, 208, 224, 255, 256, 300, 520};
  constexpr std::int64_t kInner[] = {1, 8, 24, 63, 64, 72, 130, 200, 330};
  for (const GemmKernel& kernel : gemm_kernels()) {
    if (kernel.key.epilogue) continue;
    for (int i = 0; i < 12; ++i) {
      KernelCase c;
      c.kind = kind_of(kernel.key);
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
}

/// Sums of 18 bits of which those of 128 terms have 11: exact where they are promoted, and not so where the hardware
/// keeps some 14.
TEST(GemmKernel, PromotesSumsOfF8) {
  constexpr std::int64_t kM = 130, kN = 300, kK = 16'400;
  std::mt19937 random(17);
  TestMatrix a(Dtype::kF8e4m3, kM, kK, kK), b(Dtype::kF8e4m3, kN, kK, kK);
  std::vector<int> a_values(kM * kK), b_values(kN * kK);
  const auto fill = [&](TestMatrix& matrix, std::vector<int>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<int>(random() % 4);
      const auto at = static_cast<std::int64_t>(i);
      matrix.set(at / kK, at % kK, static_cast<float>(values[i]));
    }
    matrix.upload();
  };
  fill(a, a_values);
  fill(b, b_values);
  std::vector<int> sums(kM * kN);
  for (std::size_t i = 0; i < kM; ++i)
    for (std::size_t j = 0; j < kN; ++j)
      for (std::size_t k = 0; k < kK; ++k) sums[i * kN + j] += a_values[i * kK + k] * b_values[j * kK + k];
  const Control control;
  for (const GemmKernel& kernel : gemm_kernels()) {
    if (kernel.key.element != Dtype::kF8e4m3 || kernel.key.epilogue) continue;
    TestMatrix c(Dtype::kF32, kM, kN, kN);
    c.upload();
    const Product product{
        .m = kM,
        .n = kN,
        .parts = {{.a = a.device(), .b = b.device(), .a_stride = kK, .b_stride = kK, .k = kK, .num_waits = 0}},
        .c = c.device(),
        .c_stride = kN,
        .output = Dtype::kF32,
        .row_groups = {},
        .raises = {}};
    const GemmRun run(kind_of(kernel.key), {product}, {}, control.epoch.as<std::uint64_t>(), nullptr, control.wait(),
                      {.tile_n = kernel.key.tile_n, .cluster = 2}, 132);
    run.launch(nullptr);
    check(cudaDeviceSynchronize(), "running");
    c.bytes() = c.download();
    double worst = 0;
    for (std::size_t i = 0; i < kM; ++i)
      for (std::size_t j = 0; j < kN; ++j) {
        const double sum = sums[i * kN + j];
        const double got = static_cast<double>(c.get(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)));
        worst = std::max(worst, std::abs(got - sum) / sum);
      }
    // Of 513 instructions, each may lose 2^-12 of the sum so far: the hardware keeps some 13 bits, and cuts the rest off.
    if (kernel.key.fast_sums)
      EXPECT_LE(worst, 513 * 0x1p-12) << to_string(kernel.key);
    else
      EXPECT_EQ(worst, 0) << to_string(kernel.key);
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
  const GemmRun run(kind, {product}, waits, control.epoch.as<std::uint64_t>(), nullptr, control.wait(),
                    {.tile_n = 128, .cluster = 2, .rows_together = 1}, 132);
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
      const std::uint64_t raised = epoch + 1;
      check(cudaMemcpyAsync(words.as<std::uint64_t>() + i, &raised, 8, cudaMemcpyHostToDevice, copies), "raising");
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
  const GemmRun run({.element = Dtype::kBf16}, {product}, waits, control.epoch.as<std::uint64_t>(), nullptr,
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
  const GemmRun run({.element = Dtype::kBf16}, products, {}, control.epoch.as<std::uint64_t>(), nullptr, control.wait(),
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
