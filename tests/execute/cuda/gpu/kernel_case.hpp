#pragma once
// A product on a GPU next to the host's: small whole numbers in memory around which nothing may be written, every sum
// exact.

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "execute/cuda/pinned_memory.hpp"
#include "meshmul/element.hpp"

namespace meshmul::cuda {

inline constexpr std::uint64_t kSecond = 1'000'000'000;

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

inline ProductKind kind_of(const GemmKernelKey& key) {
  return {.element = key.element,
          .a_rows_together = key.a_rows_together,
          .b_columns_together = key.b_columns_together,
          .fast_sums = key.fast_sums};
}

inline std::string to_string(const KernelCase& c) {
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
inline StepOperand operand_of(const StepCase& step, std::int64_t m, std::int64_t n, std::mt19937& random) {
  const bool rows = step.along == Along::kBoth || step.along == Along::kRows;
  const bool columns = step.along == Along::kBoth || step.along == Along::kColumns;
  StepOperand operand{TestMatrix(step.dtype, rows ? m : 1, columns ? n : 1, (columns ? n : 1) + step.extra), rows,
                      columns};
  operand.matrix.fill(random);
  operand.matrix.upload();
  return operand;
}
inline EpilogueStep step_of(const StepCase& step, const StepOperand& operand, std::int64_t n,
                            std::int32_t num_waits = 0) {
  return {.function = step.function,
          .operand = operand.matrix.device(),
          .row_stride = operand.rows ? (operand.columns ? n : 1) + step.extra : 0,
          .column_stride = operand.columns ? 1 : 0,
          .dtype = step.dtype,
          .rounded_to = step.rounded_to,
          .num_waits = num_waits};
}

inline float rounded(float x, Dtype dtype) {
  return with_element_type(dtype, [&]<class T>() { return convert<float>(convert<T>(x)); });
}
inline float after_step(const StepCase& step, float x, float y) {
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

inline std::int64_t aligned(std::int64_t extent, Dtype element) {
  const std::int64_t most = 16 / size_bytes(element);
  return (extent + most - 1) / most * most;
}

/// Empty if the product is right and nothing else was written.
inline std::string failure_of(const KernelCase& c, const TileChoice& choice, std::int32_t num_blocks, unsigned seed) {
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

}  // namespace meshmul::cuda
