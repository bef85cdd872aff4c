// Epilogues of the product kernel on a GPU: exact, with the bits of ops behind the product, and behind their waits.

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "execute/cuda/lane_run.hpp"
#include "kernel_case.hpp"

namespace meshmul::cuda {
namespace {

TEST(GemmKernel, DoesEpiloguesExactlyForEveryKernelAndSizesThatDivideNothing) {
  std::mt19937 random(20261201);
  constexpr std::int64_t kRows[] = {1, 7, 64, 127, 129, 257, 400};
  constexpr std::int64_t kColumns[] = {1, 8, 17, 64, 130, 208, 255, 256, 300, 520};
  constexpr MapFunction kFunctions[] = {MapFunction::kRelu, MapFunction::kConvert, MapFunction::kAdd,
                                        MapFunction::kBias, MapFunction::kMul,     MapFunction::kScale};
  constexpr Dtype kDtypes[] = {Dtype::kF32, Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3};
  constexpr Along kAlong[] = {Along::kBoth, Along::kBoth, Along::kRows, Along::kColumns, Along::kNothing};
  for (const GemmKernel& kernel : gemm_kernels()) {
    if (!kernel.key.epilogue) continue;
    for (int i = 0; i < 12; ++i) {
      KernelCase c;
      c.kind = kind_of(kernel.key);
      c.m = kRows[random() % std::size(kRows)];
      c.n = kColumns[random() % std::size(kColumns)];
      // f8e4m3 holds sums only where they are small; the others are rounded.
      const std::size_t num_dtypes = i % 3 == 2 ? 4 : 3;
      c.k = num_dtypes == 4 ? 4 : 130;
      c.output = kDtypes[random() % num_dtypes];
      c.c_shift = random() % 3 == 0 ? static_cast<std::int64_t>(random() % 8) : 0;
      c.c_extra = random() % 2 == 0 ? static_cast<std::int64_t>(random() % 16) : 0;
      const std::size_t num_steps = 1 + random() % 4;
      int factors = 0;
      for (std::size_t s = 0; s < num_steps; ++s) {
        StepCase step;
        step.function = kFunctions[random() % std::size(kFunctions)];
        const bool is_factor = step.function == MapFunction::kMul || step.function == MapFunction::kScale;
        if (is_factor && ++factors > 2) step.function = MapFunction::kAdd;
        step.rounded_to = kDtypes[random() % num_dtypes];
        step.dtype = kDtypes[random() % std::size(kDtypes)];
        step.along = kAlong[random() % std::size(kAlong)];
        step.extra = random() % 2 == 0 ? static_cast<std::int64_t>(random() % 16) : 0;
        c.epilogue.push_back(step);
      }
      const TileChoice choice{.tile_n = kernel.key.tile_n,
                              .cluster = random() % 2 == 0 ? 2 : 1,
                              .rows_together = 1 + static_cast<std::int32_t>(random() % 8)};
      constexpr std::int32_t kBlocks[] = {2, 16, 132};
      ASSERT_EQ(failure_of(c, choice, kBlocks[random() % std::size(kBlocks)], static_cast<unsigned>(random())), "");
    }
  }
}

/// One result each of: bias along columns, along rows, and a scalar; what many products have behind them.
TEST(GemmKernel, AddsBiasAndScalesByRowsColumnsAndScalars) {
  for (const MapFunction function : {MapFunction::kBias, MapFunction::kScale})
    for (const Along along : {Along::kRows, Along::kColumns, Along::kNothing})
      for (const Dtype dtype : {Dtype::kF32, Dtype::kBf16}) {
        const KernelCase c{.kind = {.element = Dtype::kBf16},
                           .output = Dtype::kBf16,
                           .m = 300,
                           .n = 520,
                           .k = 72,
                           .epilogue = {{.function = function, .dtype = dtype, .along = along}}};
        ASSERT_EQ(failure_of(c, {.tile_n = 256, .cluster = 2}, 16, 5), "");
      }
}

/// Scales of f8 operands: one for each row of a, one for each column of b, one for all.
TEST(GemmKernel, ScalesProductsOfF8) {
  for (const bool fast_sums : {false, true})
    for (const Dtype output : {Dtype::kBf16, Dtype::kF32}) {
      const KernelCase c{.kind = {.element = Dtype::kF8e4m3, .fast_sums = fast_sums},
                         .output = output,
                         .m = 300,
                         .n = 520,
                         .k = 400,
                         .epilogue = {{.function = MapFunction::kScale, .along = Along::kRows},
                                      {.function = MapFunction::kScale, .along = Along::kColumns},
                                      {.function = MapFunction::kScale, .along = Along::kNothing}}};
      ASSERT_EQ(failure_of(c, {.tile_n = 128, .cluster = 2}, 16, 5), "");
    }
}

View dense_view(std::byte* data, Dtype dtype, std::int64_t rows, std::int64_t columns) {
  return {data, dtype, 2, {rows, columns}, {columns, 1}};
}

/// Epilogues have the bits of what they replace: a product that is stored, then a map over what was stored.
/// A map as the only task of the kernel of lanes.
void map_by_lanes(const View& dst, MapFunction function, const std::vector<ConstView>& sources,
                  const Control& control) {
  LaneTables tables;
  tables.loops.push_back(map_loops(dst, function, sources, {}));
  tables.tasks.push_back({.work = LaneTask::Work::kElements, .num_shares = 7, .op = -1});
  tables.lanes.push_back({.first_task = 0, .end_task = 1, .first_wait = 0});
  const LaneState state(1, 1);
  const LaneRun run(tables, state, control.epoch.as<std::uint64_t>(), nullptr, control.wait(), 2, false);
  run.launch(nullptr);
  check(cudaDeviceSynchronize(), "mapping");
}

TEST(GemmKernel, HasTheBitsOfAProductAndMapsBehindIt) {
  constexpr std::int64_t kM = 200, kN = 328, kK = 64;
  std::mt19937 random(11);
  TestMatrix a(Dtype::kBf16, kM, kK, kK), b(Dtype::kBf16, kN, kK, kK);
  std::normal_distribution<float> normal;
  for (std::int64_t k = 0; k < kK; ++k) {
    for (std::int64_t i = 0; i < kM; ++i) a.set(i, k, normal(random));
    for (std::int64_t j = 0; j < kN; ++j) b.set(j, k, normal(random) / 3);
  }
  a.upload();
  b.upload();
  const Control control;
  for (const Dtype stored : {Dtype::kF32, Dtype::kBf16, Dtype::kF16})
    for (const Dtype output : {Dtype::kF32, Dtype::kBf16, Dtype::kF8e4m3})
      for (const MapFunction function : kAllMapFunctions) {
        if (!is_epilogue(function)) continue;
        TestMatrix fused(output, kM, kN, kN), mapped(output, kM, kN, kN), product(stored, kM, kN, kN);
        TestMatrix operand(Dtype::kBf16, kM, kN, kN);
        for (std::int64_t i = 0; i < kM; ++i)
          for (std::int64_t j = 0; j < kN; ++j) operand.set(i, j, normal(random));
        for (TestMatrix* matrix : {&fused, &mapped, &product, &operand}) matrix->upload();
        const auto multiply = [&](const TestMatrix& c, Dtype dtype, std::vector<EpilogueStep> epilogue) {
          const Product described{
              .m = kM,
              .n = kN,
              .parts = {{.a = a.device(), .b = b.device(), .a_stride = kK, .b_stride = kK, .k = kK, .num_waits = 0}},
              .c = c.device(),
              .c_stride = kN,
              .output = dtype,
              .row_groups = {},
              .raises = {},
              .epilogue = std::move(epilogue)};
          const GemmRun run({.element = Dtype::kBf16}, {described}, {}, control.epoch.as<std::uint64_t>(), nullptr,
                            control.wait(), {.tile_n = 256, .cluster = 2}, 132);
          run.launch(nullptr);
          check(cudaDeviceSynchronize(), "running");
        };
        multiply(fused, output,
                 {{.function = function,
                   .operand = operand.device(),
                   .row_stride = kN,
                   .column_stride = 1,
                   .dtype = Dtype::kBf16,
                   .rounded_to = stored}});
        multiply(product, stored, {});
        std::vector<ConstView> sources{dense_view(product.device(), stored, kM, kN)};
        if (num_sources(function) == 2) sources.push_back(dense_view(operand.device(), Dtype::kBf16, kM, kN));
        map_by_lanes(dense_view(mapped.device(), output, kM, kN), function, sources, control);
        ASSERT_TRUE(fused.download() == mapped.download())
            << name(function) << ", stored in " << name(stored) << ", result in " << name(output);
      }
}

TEST(GemmKernel, ComesNearToNonlinearFunctions) {
  constexpr std::int64_t kM = 130, kN = 264;
  // The product is that of the unit matrix: what the function is of is known exactly.
  TestMatrix a(Dtype::kF16, kM, 136, 136), b(Dtype::kF16, kN, 136, 136), c(Dtype::kF32, kM, kN, kN);
  for (std::int64_t k = 0; k < 136; ++k) {
    for (std::int64_t i = 0; i < kM; ++i) a.set(i, k, i == k ? 1 : 0);
    for (std::int64_t j = 0; j < kN; ++j) b.set(j, k, static_cast<float>(k * kN + j - 17'952) / 1024);
  }
  a.upload();
  b.upload();
  const Control control;
  for (const MapFunction function : {MapFunction::kGelu, MapFunction::kGeluTanh, MapFunction::kSilu}) {
    c.upload();
    const Product product{
        .m = kM,
        .n = kN,
        .parts = {{.a = a.device(), .b = b.device(), .a_stride = 136, .b_stride = 136, .k = 136, .num_waits = 0}},
        .c = c.device(),
        .c_stride = kN,
        .output = Dtype::kF32,
        .row_groups = {},
        .raises = {},
        .epilogue = {{.function = function}}};
    const GemmRun run({.element = Dtype::kF16}, {product}, {}, control.epoch.as<std::uint64_t>(), nullptr,
                      control.wait(), {.tile_n = 128, .cluster = 1}, 132);
    run.launch(nullptr);
    check(cudaDeviceSynchronize(), "running");
    TestMatrix got(Dtype::kF32, kM, kN, kN);
    got.bytes() = c.download();
    for (std::int64_t i = 0; i < kM; ++i)
      for (std::int64_t j = 0; j < kN; ++j) {
        const double x = static_cast<double>(b.get(j, i));
        double expected = x / (1 + std::exp(-x));
        if (function == MapFunction::kGelu) expected = x / 2 * std::erfc(-x / std::sqrt(2.0));
        if (function == MapFunction::kGeluTanh)
          expected = x / (1 + std::exp(-std::sqrt(8 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
        // Arguments of the exponential are rounded in f32: up to 2^-24 of their size, some 30 where it is large.
        ASSERT_NEAR(static_cast<double>(got.get(i, j)), expected, 1e-5 * std::abs(expected) + 1e-7)
            << name(function) << " of " << x;
      }
  }
}

/// Terms of a sum that others bring: each is added once its signal is up, and no earlier. They lie as the result does,
/// further apart, and where quads of them do not start at multiples of their size.
TEST(GemmKernel, AddsTermsOnceTheirSignalsAreUpRunAfterRun) {
  constexpr std::int64_t kM = 390, kN = 600, kK = 128;
  struct Term {
    Dtype dtype;
    std::int64_t stride, shift;
  };
  const std::vector<Term> terms{
      {Dtype::kBf16, 600, 0}, {Dtype::kF32, 604, 0}, {Dtype::kBf16, 603, 1}, {Dtype::kF32, 600, 2}};
  std::mt19937 random(9);
  TestMatrix a(Dtype::kBf16, kM, kK, kK), b(Dtype::kBf16, kN, kK, kK), c(Dtype::kBf16, kM, kN, 608);
  a.fill(random);
  b.fill(random);
  for (TestMatrix* matrix : {&a, &b, &c}) matrix->upload();
  const Control control;
  const DeviceMemory words(8 * (terms.size() + 1));
  check(cudaMemset(words.data(), 0, words.num_bytes()), "words");
  std::vector<std::unique_ptr<TestMatrix>> matrices;
  std::vector<SignalWait> waits;
  Product product{
      .m = kM,
      .n = kN,
      .parts = {{.a = a.device(), .b = b.device(), .a_stride = kK, .b_stride = kK, .k = kK, .num_waits = 0}},
      .c = c.device(),
      .c_stride = 608,
      .row_groups = {},
      .raises = {{words.as<std::uint64_t>() + terms.size(), 1, 1}}};
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    matrices.push_back(std::make_unique<TestMatrix>(term.dtype, kM, kN, term.stride, term.shift));
    waits.push_back({words.as<std::uint64_t>() + i, 1, 1, static_cast<std::int32_t>(i)});
    product.epilogue.push_back({.function = MapFunction::kAdd,
                                .operand = matrices[i]->device(),
                                .row_stride = term.stride,
                                .column_stride = 1,
                                .dtype = term.dtype,
                                .rounded_to = Dtype::kBf16,
                                .num_waits = static_cast<std::int32_t>(i + 1)});
  }
  cudaStream_t products = nullptr, copies = nullptr;
  check(cudaStreamCreateWithFlags(&products, cudaStreamNonBlocking), "stream");
  check(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking), "stream");
  const GemmRun run({.element = Dtype::kBf16}, {product}, waits, control.epoch.as<std::uint64_t>(), nullptr,
                    control.wait(), {.tile_n = 256, .cluster = 2, .rows_together = 1}, 4);
  for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
    check(cudaMemcpy(control.epoch.data(), &epoch, 8, cudaMemcpyHostToDevice), "epoch");
    // Terms that were not waited for are not numbers.
    for (const auto& matrix : matrices) {
      std::ranges::fill(matrix->bytes(), std::byte{0xFF});
      matrix->upload();
      matrix->fill(random);
    }
    check(cudaDeviceSynchronize(), "poison");
    run.launch(products);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::vector<std::byte>& bytes = matrices[i]->bytes();
      check(cudaMemcpyAsync(matrices[i]->whole(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice, copies), "term");
      const std::uint64_t raised = epoch + 1;
      check(cudaMemcpyAsync(words.as<std::uint64_t>() + i, &raised, 8, cudaMemcpyHostToDevice, copies), "raising");
    }
    check(cudaDeviceSynchronize(), "running");
    ASSERT_EQ(control.record().state, 0U);
    for (std::int64_t i = 0; i < kM; ++i)
      for (std::int64_t j = 0; j < kN; ++j) {
        float sum = 0;
        for (std::int64_t k = 0; k < kK; ++k) sum += a.get(i, k) * b.get(j, k);
        for (const auto& matrix : matrices) sum = rounded(sum, Dtype::kBf16) + matrix->get(i, j);
        c.set(i, j, sum);
      }
    ASSERT_TRUE(c.download() == c.bytes()) << "run " << epoch;
    std::uint64_t word = 0;
    check(cudaMemcpy(&word, words.data() + 8 * terms.size(), 8, cudaMemcpyDeviceToHost), "word");
    EXPECT_EQ(word, epoch + 1);
  }
  cudaStreamDestroy(products);
  cudaStreamDestroy(copies);
}

/// Products with and without an epilogue in one run take turns at the boxes through which both store.
TEST(GemmKernel, MixesProductsWithAndWithoutAnEpilogue) {
  constexpr std::int64_t kM = 500, kN = 440, kK = 64;
  std::mt19937 random(13);
  TestMatrix a(Dtype::kBf16, kM, kK, kK), b(Dtype::kBf16, kN, kK, kK), bias(Dtype::kBf16, 1, kN, kN);
  for (TestMatrix* matrix : {&a, &b, &bias}) {
    matrix->fill(random);
    matrix->upload();
  }
  const Control control;
  std::vector<std::unique_ptr<TestMatrix>> results;
  std::vector<Product> products;
  for (int i = 0; i < 6; ++i) {
    // Of 441 columns, the copy engine cannot store.
    const std::int64_t stride = i % 3 == 2 ? 441 : kN;
    results.push_back(std::make_unique<TestMatrix>(Dtype::kBf16, kM, kN, stride));
    results.back()->upload();
    products.push_back(
        {.m = kM,
         .n = kN,
         .parts = {{.a = a.device(), .b = b.device(), .a_stride = kK, .b_stride = kK, .k = kK, .num_waits = 0}},
         .c = results.back()->device(),
         .c_stride = stride,
         .row_groups = {},
         .raises = {}});
    if (i % 2 == 1)
      products.back().epilogue = {{.function = MapFunction::kBias,
                                   .operand = bias.device(),
                                   .row_stride = 0,
                                   .column_stride = 1,
                                   .dtype = Dtype::kBf16}};
  }
  const GemmRun run({.element = Dtype::kBf16}, products, {}, control.epoch.as<std::uint64_t>(), nullptr, control.wait(),
                    {.tile_n = 224, .cluster = 1}, 6);
  run.launch(nullptr);
  check(cudaDeviceSynchronize(), "running");
  for (std::size_t p = 0; p < results.size(); ++p) {
    for (std::int64_t i = 0; i < kM; ++i)
      for (std::int64_t j = 0; j < kN; ++j) {
        float sum = p % 2 == 1 ? bias.get(0, j) : 0;
        for (std::int64_t k = 0; k < kK; ++k) sum += a.get(i, k) * b.get(j, k);
        results[p]->set(i, j, sum);
      }
    ASSERT_TRUE(results[p]->download() == results[p]->bytes()) << "product " << p;
  }
}

}  // namespace
}  // namespace meshmul::cuda
