// The product kernel on a GPU: small whole numbers in memory around which nothing may be written, and every sum exact.

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "execute/cuda/lane_run.hpp"
#include "execute/cuda/pinned_memory.hpp"
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
  std::vector<std::byte>& bytes() { return bytes_; }
  std::byte* device() const { return device_.data() + kCanary + shift_; }
  /// With its canaries, as `bytes`.
  std::byte* whole() const { return device_.data(); }

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
  DeviceMemory abort{4};
  Control() {
    check(cudaMemset(epoch.data(), 0, 8), "epoch");
    check(cudaMemset(abort.data(), 0, 4), "abort");
  }
  WaitControl wait(std::uint64_t budget_ns = 10 * kSecond) const {
    return {reinterpret_cast<ExpiredWait*>(expired.data()), abort.as<std::uint32_t>(), budget_ns};
  }
  const ExpiredWait& record() const { return *reinterpret_cast<const ExpiredWait*>(expired.data()); }
};

/// What an operand of an epilogue has an element for.
enum class Along { kBoth, kRows, kColumns, kNothing };

struct StepCase {
  MapFunction function = MapFunction::kConvert;
  Dtype rounded_to = Dtype::kF32;
  Dtype dtype = Dtype::kF32;
  Along along = Along::kBoth;
  std::int64_t extra = 0;  ///< elements from the end of a row of the operand to the next
};

struct KernelCase {
  ProductKind kind;
  Dtype output = Dtype::kBf16;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t c_shift = 0;  ///< elements
  std::int64_t c_extra = 0;  ///< elements from the end of a row to the next
  bool accumulate = false;
  std::vector<StepCase> epilogue = {};
};

ProductKind kind_of(const GemmKernelKey& key) {
  return {.element = key.element,
          .a_rows_together = key.a_rows_together,
          .b_columns_together = key.b_columns_together,
          .fast_sums = key.fast_sums};
}

std::string to_string(const KernelCase& c) {
  std::string text = fmt::format(
      "element {}, fast sums {}, a rows {}, b columns {}, output {}, {} x {} x {}, c shift {} extra {}, accumulate {}",
      name(c.kind.element), c.kind.fast_sums, c.kind.a_rows_together, c.kind.b_columns_together, name(c.output), c.m,
      c.n, c.k, c.c_shift, c.c_extra, c.accumulate);
  for (const StepCase& step : c.epilogue)
    text += fmt::format(", {} of {} along {} extra {}, rounded to {}", name(step.function), name(step.dtype),
                        static_cast<int>(step.along), step.extra, name(step.rounded_to));
  return text;
}

/// The operand of a step, and where the element for a row and a column of c is.
struct StepOperand {
  TestMatrix matrix;
  bool rows = false, columns = false;  ///< whether it has more than one
  float get(std::int64_t i, std::int64_t j) const { return matrix.get(rows ? i : 0, columns ? j : 0); }
};
StepOperand operand_of(const StepCase& step, std::int64_t m, std::int64_t n, std::mt19937& random) {
  const bool rows = step.along == Along::kBoth || step.along == Along::kRows;
  const bool columns = step.along == Along::kBoth || step.along == Along::kColumns;
  StepOperand operand{TestMatrix(step.dtype, rows ? m : 1, columns ? n : 1, (columns ? n : 1) + step.extra), rows,
                      columns};
  operand.matrix.fill(random);
  operand.matrix.upload();
  return operand;
}
EpilogueStep step_of(const StepCase& step, const StepOperand& operand, std::int64_t n, std::int32_t num_waits = 0) {
  return {.function = step.function,
          .operand = operand.matrix.device(),
          .row_stride = operand.rows ? (operand.columns ? n : 1) + step.extra : 0,
          .column_stride = operand.columns ? 1 : 0,
          .dtype = step.dtype,
          .rounded_to = step.rounded_to,
          .num_waits = num_waits};
}

float rounded(float x, Dtype dtype) {
  return with_element_type(dtype, [&]<class T>() { return convert<float>(convert<T>(x)); });
}
float after_step(const StepCase& step, float x, float y) {
  x = rounded(x, step.rounded_to);
  switch (step.function) {
    case MapFunction::kRelu: return x < 0 ? 0 : x;
    case MapFunction::kAdd:
    case MapFunction::kBias: return x + y;
    case MapFunction::kMul:
    case MapFunction::kScale: return x * y;
    default: return x;
  }
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
  std::vector<StepOperand> operands;
  std::vector<EpilogueStep> epilogue;
  for (const StepCase& step : c.epilogue) {
    operands.push_back(operand_of(step, c.m, c.n, random));
    epilogue.push_back(step_of(step, operands.back(), c.n));
  }
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
                        .raises = {},
                        .epilogue = epilogue};
  const GemmRun run(c.kind, {product}, {}, control.epoch.as<std::uint64_t>(), nullptr, control.wait(), choice,
                    num_blocks);
  run.launch(nullptr);
  check(cudaDeviceSynchronize(), to_string(c));
  for (std::int64_t i = 0; i < c.m; ++i)
    for (std::int64_t j = 0; j < c.n; ++j) {
      float sum = c.accumulate ? result.get(i, j) : 0;
      for (std::int64_t k = 0; k < c.k; ++k)
        sum += (c.kind.a_rows_together ? a.get(k, i) : a.get(i, k)) *
               (c.kind.b_columns_together ? b.get(k, j) : b.get(j, k));
      for (std::size_t s = 0; s < c.epilogue.size(); ++s) sum = after_step(c.epilogue[s], sum, operands[s].get(i, j));
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
