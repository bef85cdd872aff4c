#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "kernels/kernels.hpp"
#include "test_array.hpp"

namespace meshmul {
namespace {

struct Case {
  MapFunction function;
  int num_sources;
  std::function<double(double, double)> expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {MapFunction::kZero, 0, [](double, double) { return 0.0; }},
      {MapFunction::kOne, 0, [](double, double) { return 1.0; }},
      {MapFunction::kGelu, 1, [](double x, double) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }},
      {MapFunction::kGeluTanh, 1,
       [](double x, double) {
         return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
       }},
      {MapFunction::kSilu, 1, [](double x, double) { return x / (1 + std::exp(-x)); }},
      {MapFunction::kRelu, 1, [](double x, double) { return std::max(x, 0.0); }},
      {MapFunction::kGeluGrad, 2,
       [](double x, double y) {
         const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
         return y * ((1 + std::erf(x / std::sqrt(2.0))) / 2 + x * density);
       }},
      {MapFunction::kGeluTanhGrad, 2,
       [](double x, double y) {
         const double c = std::sqrt(2 / std::acos(-1.0));
         const double t = std::tanh(c * (x + 0.044715 * x * x * x));
         return y * ((1 + t) / 2 + x / 2 * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x));
       }},
      {MapFunction::kSiluGrad, 2,
       [](double x, double y) {
         const double s = 1 / (1 + std::exp(-x));
         return y * s * (1 + x * (1 - s));
       }},
      {MapFunction::kReluGrad, 2, [](double x, double y) { return x > 0 ? y : 0; }},
      {MapFunction::kAdd, 2, [](double x, double y) { return x + y; }},
      {MapFunction::kMul, 2, [](double x, double y) { return x * y; }},
      {MapFunction::kBias, 2, [](double x, double y) { return x + y; }},
      {MapFunction::kScale, 2, [](double x, double y) { return x * y; }},
      {MapFunction::kConvert, 1, [](double x, double) { return x; }},
  };
  return all;
}

/// One rounding into the dtype (2^-mantissa bits) and a few units of f32 for the function itself.
double relative_error(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return 1e-14;
    case Dtype::kF32: return 1e-6;
    case Dtype::kBf16: return 0x1p-8;
    case Dtype::kF16: return 0x1p-11 + 1e-6;
    case Dtype::kF8e4m3: return 0x1p-4;
    case Dtype::kI8:
    case Dtype::kI32: return 0;
  }
  return 0;
}

/// Derivatives of gelu and silu are sums of two terms of about the size of y, which cancel near their zeros.
double cancelled(const Case& test, Dtype dtype, double y) {
  const bool is_sum = test.function == MapFunction::kGeluGrad || test.function == MapFunction::kGeluTanhGrad ||
                      test.function == MapFunction::kSiluGrad;
  return is_sum ? std::abs(y) * (dtype == Dtype::kF64 ? 1e-14 : 1e-6) : 0;
}

TEST(Map, computes_every_function_for_every_float_dtype_on_views) {
  std::mt19937_64 random(1);
  for (const Dtype dtype : {Dtype::kF64, Dtype::kF32, Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3})
    for (const Case& test : cases())
      for (const Shape& shape : {Shape{}, Shape{700}, Shape{3, 0}, Shape{5, 1, 7}}) {
        TestArray dst(dtype, shape, random);
        TestArray x(dtype, shape, random);
        TestArray y(dtype, shape, random);
        x.fill_uniform(random);
        y.fill_uniform(random);
        dst.poison();
        const TestArray before = dst;
        std::vector<ConstView> srcs{x.view(), y.view()};
        srcs.resize(static_cast<std::size_t>(test.num_sources));
        map(dst.view(), test.function, srcs);
        const std::vector<double> xs = x.values();
        const std::vector<double> ys = y.values();
        const std::vector<double> found = dst.values();
        for (std::size_t i = 0; i < found.size(); ++i) {
          const double expected = test.expected(xs[i], ys[i]);
          // Near zero 8- and 16-bit floats are subnormal: half of their smallest step.
          const double smallest = dtype == Dtype::kF8e4m3 ? 0x1p-10 : 0x1p-25;
          EXPECT_NEAR(found[i], expected,
                      std::abs(expected) * relative_error(dtype) + smallest + cancelled(test, dtype, ys[i]))
              << name(dtype) << " function " << static_cast<int>(test.function) << " of " << xs[i];
        }
        EXPECT_TRUE(dst.margin_equals(before));
      }
}

TEST(Map, computes_integers_exactly) {
  std::mt19937_64 random(2);
  for (const Dtype dtype : {Dtype::kI8, Dtype::kI32})
    for (const Case& test : cases()) {
      const auto is_smooth = [&](MapFunction smooth) {
        return test.function == smooth || test.function == gradient_of(smooth);
      };
      if (is_smooth(MapFunction::kGelu) || is_smooth(MapFunction::kGeluTanh) || is_smooth(MapFunction::kSilu)) continue;
      TestArray dst(dtype, {33}, random);
      TestArray x(dtype, {33}, random);
      TestArray y(dtype, {33}, random);
      x.fill_integers(random, 8);
      y.fill_integers(random, 8);
      std::vector<ConstView> srcs{x.view(), y.view()};
      srcs.resize(static_cast<std::size_t>(test.num_sources));
      map(dst.view(), test.function, srcs);
      const std::vector<double> xs = x.values();
      const std::vector<double> ys = y.values();
      const std::vector<double> found = dst.values();
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], test.expected(xs[i], ys[i]));
    }
}

TEST(Map, counts_a_source_along_one_dimension_for_all_others) {
  const float vector[] = {10, 20, 30};
  const float scalar[] = {100};
  const ConstView scalar_view{reinterpret_cast<const std::byte*>(scalar), Dtype::kF32, 0, {}, {}};
  for (const Shape& shape : {Shape{3, 4}, Shape{4, 3}, Shape{2, 3, 700}}) {
    const int along = shape[0] == 3 ? 0 : 1;
    const Box whole = Box::whole(shape);
    std::vector<float> x(static_cast<std::size_t>(whole.num_elements()), 1);
    const View view = view_of(reinterpret_cast<std::byte*>(x.data()), Dtype::kF32, shape, whole);
    const ConstView vector_view =
        view_of(reinterpret_cast<const std::byte*>(vector), Dtype::kF32, {3}, Box::whole(Shape{3}));
    const std::int64_t inner = shape.back() == 3 ? 1 : shape.back();
    meshmul::map(view, MapFunction::kBias, {{view, vector_view}}, along);
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(x[i], 1 + vector[static_cast<std::int64_t>(i) / inner % 3]) << i;
    meshmul::map(view, MapFunction::kScale, {{view, scalar_view}});
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(x[i], 100 * (1 + vector[static_cast<std::int64_t>(i) / inner % 3])) << i;
  }
}

TEST(Map, works_in_place) {
  std::mt19937_64 random(3);
  TestArray x(Dtype::kF32, {4, 300}, random);
  x.fill_integers(random, 8);
  const std::vector<double> old = x.values();
  const std::vector<ConstView> srcs{x.view(), x.view()};
  map(x.view(), MapFunction::kAdd, srcs);
  const std::vector<double> found = x.values();
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], 2 * old[i]);
}

TEST(Map, relu_keeps_nan) {
  std::mt19937_64 random(4);
  TestArray x(Dtype::kF32, {3}, random);
  x.poison();
  const std::vector<ConstView> srcs{x.view()};
  map(x.view(), MapFunction::kRelu, srcs);
  for (const double value : x.values()) EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace meshmul
