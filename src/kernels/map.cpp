// The elementwise functions of `map`, computed in the accumulator dtype of the destination.

#include <algorithm>
#include <array>
#include <cassert>
#include <type_traits>

#include "activations.hpp"
#include "cpu_features.hpp"
#include "kernels.hpp"
#include "meshmul/element.hpp"
#include "rows.hpp"
#include "staging.hpp"

namespace meshmul {
namespace {

/// out[i] = function(x[i]) in T, for integers by way of f64.
template <class T, class F>
[[gnu::always_inline]] inline void each(T* out, const T* x, std::int64_t n, F function) {
  using Real = std::conditional_t<std::is_integral_v<T>, double, T>;
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(function(static_cast<Real>(x[i])));
}

template <class T>
[[gnu::always_inline]] inline void add(T* out, const T* x, const T* y, std::int64_t n) {
  using Sum = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;  // integers wrap
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(static_cast<Sum>(x[i]) + static_cast<Sum>(y[i]));
}

template <class T>
[[gnu::always_inline]] inline void mul(T* out, const T* x, const T* y, std::int64_t n) {
  using Factor = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(static_cast<Factor>(x[i]) * static_cast<Factor>(y[i]));
}

/// out[i] = derivative(x[i]) * y[i], for integers by way of f64.
template <class T, class F>
[[gnu::always_inline]] inline void each_times(T* out, const T* x, const T* y, std::int64_t n, F derivative) {
  using Real = std::conditional_t<std::is_integral_v<T>, double, T>;
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = static_cast<T>(derivative(static_cast<Real>(x[i])) * static_cast<Real>(y[i]));
}

template <class T>
[[gnu::always_inline]] inline void apply(MapFunction function, T* out, const T* x, const T* y, std::int64_t n) {
  switch (function) {
    case MapFunction::kZero: std::fill_n(out, n, T(0)); return;
    case MapFunction::kOne: std::fill_n(out, n, T(1)); return;
    case MapFunction::kGelu: return each(out, x, n, [](auto v) __attribute__((always_inline)) { return gelu(v); });
    case MapFunction::kGeluTanh:
      return each(out, x, n, [](auto v) __attribute__((always_inline)) { return gelu_tanh(v); });
    case MapFunction::kSilu: return each(out, x, n, [](auto v) __attribute__((always_inline)) { return silu(v); });
    case MapFunction::kRelu: return each(out, x, n, [](auto v) { return v < 0 ? decltype(v)(0) : v; });  // NaN stays
    case MapFunction::kGeluGrad:
      return each_times(out, x, y, n, [](auto v) __attribute__((always_inline)) { return gelu_derivative(v); });
    case MapFunction::kGeluTanhGrad:
      return each_times(out, x, y, n, [](auto v) __attribute__((always_inline)) { return gelu_tanh_derivative(v); });
    case MapFunction::kSiluGrad:
      return each_times(out, x, y, n, [](auto v) __attribute__((always_inline)) { return silu_derivative(v); });
    case MapFunction::kReluGrad:
      return each_times(out, x, y, n, [](auto v) { return v > 0 ? decltype(v)(1) : decltype(v)(0); });
    case MapFunction::kAdd:
    case MapFunction::kBias: return add(out, x, y, n);
    case MapFunction::kMul:
    case MapFunction::kScale: return mul(out, x, y, n);
    case MapFunction::kConvert: std::copy_n(x, n, out); return;
  }
}

template <class T>
void apply_plain(MapFunction function, T* out, const T* x, const T* y, std::int64_t n) {
  apply(function, out, x, y, n);
}

#if defined(__x86_64__)
template <class T>
[[gnu::target("avx2")]] void apply_avx2(MapFunction function, T* out, const T* x, const T* y, std::int64_t n) {
  apply(function, out, x, y, n);
}
#endif

/// Compiled twice, as the loops of runs.cpp are.
template <class T>
void apply_with(const CpuFeatures& cpu, MapFunction function, T* out, const T* x, const T* y, std::int64_t n) {
#if defined(__x86_64__)
  if (cpu.avx2) return apply_avx2(function, out, x, y, n);
#endif
  apply_plain(function, out, x, y, n);
}

/// `source` as an array of the shape of `dst`, in which its elements stand many times.
ConstView spread(const ConstView& source, const View& dst, std::optional<int> along) {
  if (source.num_dims == dst.num_dims && !along) return source;
  ConstView spread{source.data, source.dtype, dst.num_dims, dst.extents, {}};
  if (along) spread.strides[static_cast<std::size_t>(*along)] = source.strides[0];
  return spread;
}

}  // namespace

void map(View dst, MapFunction function, std::span<const ConstView> srcs, std::optional<int> along) {
  assert(srcs.size() <= 2);
  if (function == MapFunction::kConvert) return copy(dst, srcs[0], {});
  // A source that the function lacks is stood in for by dst, and not read.
  const auto source = [&](std::size_t k) { return k < srcs.size() ? srcs[k] : ConstView(dst); };
  const std::array<ConstView, 2> views{source(0), spread(source(1), dst, along)};
  const Loops loops = make_loops({dst, views[0], views[1]});
  const Offsets& strides = loops.row().strides;
  const Dtype accumulator = accumulator_of(dst.dtype);
  std::array<Stage, kMaxOperands> stages;
  alignas(64) std::array<std::byte, kStageElements * 8> results;

  for_each_row(loops, [&](const Offsets& offsets, std::int64_t n) {
    const Row out{dst.data + offsets[0] * size_bytes(dst.dtype), dst.dtype, strides[0]};
    for (std::int64_t i = 0; i < n; i += kStageElements) {
      const std::int64_t count = std::min(kStageElements, n - i);
      std::array<const std::byte*, 2> values{};
      for (std::size_t k = 0; k < srcs.size(); ++k) {
        const ConstRow row{views[k].data + offsets[k + 1] * size_bytes(views[k].dtype), views[k].dtype, strides[k + 1]};
        values[k] = load(row.from(i), count, accumulator, stages[k + 1]);
      }
      with_element_type(accumulator, [&]<class T>() {
        if constexpr (std::is_same_v<T, Accumulator<T>>)
          apply_with(cpu_features(), function, reinterpret_cast<T*>(results.data()),
                     reinterpret_cast<const T*>(values[0]), reinterpret_cast<const T*>(values[1]), count);
      });
      store(out.from(i), count, results.data(), accumulator, stages[0]);
    }
  });
}

}  // namespace meshmul
