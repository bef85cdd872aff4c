#include "meshmul/check.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "meshmul/error.hpp"
#include "statements.hpp"

namespace meshmul {
namespace {

using testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rows are sampled, and all are tested with a random vector.
const CheckOptions kSampled{.most_flops = 0};

CheckResult check(const Computed& c, const CheckOptions& options = {}) {
  return meshmul::check(c.statement, c.inputs, c.output, options);
}

const std::string kDtypes[] = {"f64", "f32", "bf16", "f16", "f8e4m3", "i8", "i32"};

TEST(Check, AcceptsRightProductsOfEveryDtype) {
  for (const std::string& dtype : kDtypes) {
    const Computed c = computed(dtype + " A[I=37, J=129] * B[J, K=41] -> C[I, K]");
    for (const CheckOptions& options : {CheckOptions{}, kSampled, CheckOptions{.sampled_elements = 10}}) {
      const CheckResult result = check(c, options);
      EXPECT_TRUE(result.ok) << dtype << ": " << to_string(result);
      if (dtype[0] == 'i') {
        EXPECT_EQ(result.element->error, 0);
      }
    }
  }
}

TEST(Check, AcceptsLongSums) {
  for (const std::string& dtype : kDtypes) {
    const CheckResult result = check(computed(dtype + " A[I=2, J=20000] * B[J, K=2] -> C[I, K]"));
    EXPECT_TRUE(result.ok) << dtype << ": " << to_string(result);
  }
}

TEST(Check, AcceptsSumsWhoseRoundingsAllGoOneWay) {
  for (const std::string dtype : {"f64", "f32", "bf16", "f16"}) {
    Computed c = computed(dtype + " A[I=2, J=30000] * B[J, K=3] -> C[I, K]");
    for (HostArray& input : c.inputs)
      for (std::int64_t i = 0; i < input.num_elements(); ++i) input.set(i, 0.1);
    c.output = multiply(std::get<Product>(c.statement), c.inputs[0], c.inputs[1]);
    for (const CheckOptions& options : {CheckOptions{}, kSampled, CheckOptions{.sampled_elements = 2}}) {
      const CheckResult result = check(c, options);
      EXPECT_TRUE(result.ok) << dtype << ": " << to_string(result);
    }
  }
}

TEST(Check, AcceptsIndicesInAnyOrderOfAnyRole) {
  for (const char* text : {"A[J=5, I=6] * B[K=7, J] -> C[K, I]", "A[L=3, I=4, J=5] * B[J, L, K=6] -> C[I, L, K]",
                           "A[I=3, P=4, Q=5, R=2] * B[Q, K=3, R, M=4] -> C[M, I, K, P]", "A[I=5] * B[J=6] -> C[J, I]",
                           "A[I=50] * B[I] -> C[]", "A[L=7] * B[L] -> C[L]", "A[L=3, J=4] * B[J, L] -> C[L]"}) {
    const Computed c = computed(text);
    for (const CheckOptions& options : {CheckOptions{}, kSampled}) {
      const CheckResult result = check(c, options);
      EXPECT_TRUE(result.ok) << text << ": " << to_string(result);
      EXPECT_EQ(result.elements_checked, c.output.num_elements()) << text;
    }
  }
}

TEST(Check, FindsTheElementThatIsWrong) {
  for (const std::string& dtype : kDtypes) {
    Computed c = computed(dtype + " A[L=2, I=9, J=65] * B[L, J, K=11] -> C[L, K, I]");
    for (const std::int64_t index : {std::int64_t{0}, std::int64_t{100}, c.output.num_elements() - 1}) {
      const double right = c.output[index];
      c.output.set(index, right + (right > 0 ? -1 : 1));
      const CheckResult result = check(c);
      EXPECT_FALSE(result.ok) << dtype << " " << index;
      EXPECT_THAT(result.element->position, ElementsAre(index / 99, index % 99 / 9, index % 9)) << dtype;
      EXPECT_EQ(result.element->found, c.output[index]);
      c.output.set(index, right);
    }
    EXPECT_TRUE(check(c).ok) << dtype;
  }
}

/// `c` with an output that lacks the terms of the contraction in `lost`.
Computed without(Computed c, Interval lost) {
  HostArray a = c.inputs[0];
  const std::int64_t contraction = a.shape()[1];
  for (std::int64_t row = 0; row < a.shape()[0]; ++row)
    for (std::int64_t k = lost.begin; k < lost.end; ++k) a.set(row * contraction + k, 0);
  c.output = multiply(std::get<Product>(c.statement), a, c.inputs[1]);
  return c;
}

TEST(Check, BoundsAreTightEnoughToSeeALostBlockOfALongSum) {
  for (const std::string dtype : {"f64", "f32", "bf16", "f16"}) {
    const Computed c = computed(dtype + " A[I=4, J=8000] * B[J, K=5] -> C[I, K]");
    EXPECT_FALSE(check(without(c, {5000, 5100})).ok) << dtype;
    EXPECT_FALSE(check(without(c, {5000, 5100}), kSampled).ok) << dtype;
    // The part of one of eight devices.
    EXPECT_FALSE(check(without(c, {5000, 6000}), {.partial_sums = 8}).ok) << dtype;
  }
}

TEST(Check, TheRandomVectorFindsWhatSamplesMiss) {
  for (const std::string& dtype : kDtypes) {
    Computed c = computed(dtype + " A[L=2, I=3000, J=3] * B[L, J, K=4] -> C[L, I, K]");
    const CheckOptions options{.most_flops = 0, .sampled_elements = 10};
    ASSERT_TRUE(check(c, options).ok) << dtype;
    const std::int64_t index = 12'000 + 4 * 1234 + 1;
    c.output.set(index, c.output[index] + 1);
    const CheckResult result = check(c, options);
    EXPECT_FALSE(result.ok) << dtype;
    EXPECT_THAT(result.row->position, ElementsAre(1, 1234, -1)) << dtype;
    EXPECT_EQ(result.rows_checked, 6000) << dtype;
  }
}

TEST(Check, SaysWhatItDid) {
  const auto method = [](const std::string& text, const CheckOptions& options) {
    return check(computed(text), options).method;
  };
  EXPECT_EQ(method("A[I=3, J=4] * B[J, K=5] -> C[I, K]", {}), "every element recomputed in f64");
  EXPECT_EQ(method("i8 A[I=3, J=4] * B[J, K=5] -> C[I, K]", {}), "every element recomputed exactly");
  EXPECT_EQ(method("f64 A[I=3, J=4] * B[J, K=5] -> C[I, K]", {}), "every element recomputed in double-double");
  EXPECT_EQ(method("f64 A[I=3, J=4] * B[J, K=5] -> C[I, K]", {.sampled_elements = 6}),
            "6 sampled elements recomputed in double-double, and all rows tested with a random vector");
  EXPECT_EQ(method("A[I=600, J=4] * B[J, K=5] -> C[I, K]", kSampled),
            "512 of 600 rows recomputed in f64, and all rows tested with a random vector");
  EXPECT_EQ(method("i8 A[I=600, J=4] * B[J, K=5] -> C[I, K]", kSampled),
            "512 of 600 rows recomputed exactly, and all rows tested with a random vector");
}

TEST(Check, PrintsTheLargestErrorAndItsBound) {
  CheckResult result{.method = "every element recomputed in f64", .elements_checked = 6};
  result.element = Difference{3.13e-6, 4.75e-5, 1.25, 1.25000313, {1, 2}};
  EXPECT_EQ(to_string(result),
            "every element recomputed in f64: largest error 3.13e-06, its bound 4.75e-05, at [1, 2]");
  result.row = Difference{0.5, 2, 1, 1.5, {3, -1}};
  EXPECT_EQ(to_string(result),
            "every element recomputed in f64: largest error 3.13e-06, its bound 4.75e-05, at [1, 2]; of the rows 0.5, "
            "bound 2, at [3, :]");
  result.ok = false;
  result.row->error = 3;
  EXPECT_EQ(
      to_string(result),
      "mismatch in row [3, :]: times a random vector 1, expected 1.5; error 3, bound 2 (every element recomputed in "
      "f64)");
  result.element->bound = 0;
  EXPECT_EQ(to_string(result),
            "mismatch at [1, 2]: found 1.25, expected 1.25000313; error 3.13e-06, bound 0 (every element recomputed in "
            "f64)");
  EXPECT_EQ(to_string(CheckResult{.method = "m"}), "m: there is no element");
}

TEST(Check, EmptyContractionsGiveZeros) {
  for (const std::string& dtype : kDtypes) {
    Computed c = computed(dtype + " A[I=3, J=0] * B[J, K=4] -> C[I, K]");
    for (const CheckOptions& options : {CheckOptions{}, CheckOptions{.most_flops = -1, .sampled_elements = 2}})
      EXPECT_TRUE(check(c, options).ok) << dtype;
    c.output.set(5, 1);
    for (const CheckOptions& options : {CheckOptions{}, CheckOptions{.most_flops = -1, .sampled_elements = 2}})
      EXPECT_FALSE(check(c, options).ok) << dtype;
  }
}

TEST(Check, EmptyOutputsAreRight) {
  for (const std::string& dtype : kDtypes) {
    const CheckResult result = check(computed(dtype + " A[I=0, J=3] * B[J, K=4] -> C[I, K]"));
    EXPECT_TRUE(result.ok);
    EXPECT_EQ(result.elements_checked, 0);
    EXPECT_FALSE(result.element.has_value());
  }
}

TEST(Check, WantsNanAndInfinityInTheirPlaces) {
  for (const std::string dtype : {"f64", "f32", "bf16", "f16"}) {
    Computed c = computed(dtype + " A[I=6, J=7] * B[J, K=5] -> C[I, K]");
    c.inputs[0].set(0 * 7 + 3, kNan);
    c.inputs[0].set(1 * 7 + 3, kInfinity);
    c.inputs[1].set(2 * 5 + 4, -kInfinity);
    c.output = multiply(std::get<Product>(c.statement), c.inputs[0], c.inputs[1]);
    for (CheckOptions options : {CheckOptions{}, kSampled, CheckOptions{.sampled_elements = 29}}) {
      EXPECT_TRUE(check(c, options).ok) << dtype << to_string(check(c, options));
      Computed wrong = c;
      wrong.output.set(3 * 5 + 2, kNan);  // a row and a column without any
      EXPECT_FALSE(check(wrong, options).ok) << dtype;
      wrong = c;
      wrong.output.set(29, 0);  // -infinity is due here
      EXPECT_FALSE(check(wrong, options).ok) << dtype;
    }
  }
}

TEST(Check, AcceptsWhatOverflowsTheOutput) {
  Computed c = computed("f16 A[I=600, J=9] * B[J, K=5] -> C[I, K]", {.seed = 3, .whole_numbers_to = 200});
  const auto num_infinite = [&] {
    int count = 0;
    for (std::int64_t i = 0; i < c.output.num_elements(); ++i) count += std::isinf(c.output[i]) ? 1 : 0;
    return count;
  };
  ASSERT_GT(num_infinite(), 50);
  EXPECT_TRUE(check(c).ok);
  EXPECT_TRUE(check(c, kSampled).ok);
}

TEST(Check, AcceptsF64WhoseSquaresOverflow) {
  for (const double scale : {0x1p250, 0x1p400, 0x1p505}) {
    Computed c = computed("f64 A[I=40, J=9] * B[J, K=5] -> C[I, K]");
    for (HostArray& input : c.inputs)
      for (std::int64_t i = 0; i < input.num_elements(); ++i) input.set(i, input[i] * scale);
    c.output = multiply(std::get<Product>(c.statement), c.inputs[0], c.inputs[1]);
    for (CheckOptions options : {CheckOptions{}, CheckOptions{.sampled_elements = 29}}) {
      const CheckResult result = check(c, options);
      EXPECT_TRUE(result.ok) << scale << ": " << to_string(result);
      EXPECT_THAT(to_string(result), testing::Not(testing::HasSubstr("nan")));
      Computed wrong = c;
      wrong.output.set(199, c.output[199] * (1 + 1e-9));
      EXPECT_FALSE(check(wrong, options).ok) << scale;
    }
  }
}

TEST(Check, AcceptsF64WhoseSumsOfMagnitudesOverflow) {
  Computed c = computed("f64 A[I=1, J=4] * B[J, K=1] -> C[I, K]");
  for (int j = 0; j < 4; ++j) c.inputs[0].set(j, 0x1p1022 * (j % 2 == 0 ? 1 : -1));
  for (int j = 0; j < 4; ++j) c.inputs[1].set(j, 1 + j * 0x1p-30);
  c.output = multiply(std::get<Product>(c.statement), c.inputs[0], c.inputs[1]);
  EXPECT_TRUE(check(c).ok) << to_string(check(c));
}

TEST(Check, IntegerSumsWrap) {
  const Computed narrow = computed("i8 A[I=2, J=140000] * B[J, K=2] -> C[I, K]", {.seed = 0, .whole_numbers_to = 1});
  Computed wide = narrow;
  for (HostArray& input : wide.inputs)
    for (std::int64_t i = 0; i < input.num_elements(); ++i) input.set(i, -128);
  wide.output = multiply(std::get<Product>(wide.statement), wide.inputs[0], wide.inputs[1]);
  EXPECT_EQ(wide.output[0], 140'000.0 * 16'384 - 4'294'967'296.0);
  EXPECT_TRUE(check(wide).ok);
  EXPECT_TRUE(check(wide, kSampled).ok);

  const Computed large =
      computed("i32 A[I=9, J=1000] * B[J, K=8] -> C[I, K]", {.seed = 5, .whole_numbers_to = 2'000'000'000});
  EXPECT_EQ(check(large).method, "every element recomputed modulo 2^32");
  EXPECT_TRUE(check(large).ok);
  EXPECT_TRUE(check(large, {.sampled_elements = 5}).ok);
}

TEST(Check, AddsTheTermsOfPartialArrays) {
  for (const std::string& dtype : kDtypes) {
    Computed c = computed(dtype + " A[I=6, J=33] * B[J, K=5] -> C[I, K]");
    // A is the sum of two arrays, whose elements may cancel; each device multiplies its own.
    const HostArray second = random_array(c.inputs[0].dtype(), {6, 33}, {.seed = 77});
    const auto& product = std::get<Product>(c.statement);
    const HostArray first_output = c.output;
    const HostArray second_output = multiply(product, second, c.inputs[1]);
    const std::vector<Terms> inputs{{&c.inputs[0], &second}, {&c.inputs[1]}};
    for (const CheckOptions& options : {CheckOptions{}, kSampled, CheckOptions{.sampled_elements = 7}}) {
      EXPECT_TRUE(meshmul::check(c.statement, inputs, {&first_output, &second_output}, options).ok) << dtype;
      EXPECT_FALSE(meshmul::check(c.statement, inputs, {&first_output}, options).ok) << dtype;
      EXPECT_FALSE(meshmul::check(c.statement, inputs, {&first_output, &first_output}, options).ok) << dtype;
    }
  }
}

/// Sums of `parts` parts of the contraction, each rounded to the dtype, added one after the other with a rounding each.
HostArray multiply_as_a_ring(const Computed& c, std::int64_t parts) {
  const auto& product = std::get<Product>(c.statement);
  const std::int64_t rows = product.a.dims[0].size;
  const std::int64_t contraction = product.a.dims[1].size;
  HostArray sum(product.c.dtype, global_shape(product.c));
  for (std::int64_t part = 0; part < parts; ++part) {
    HostArray a(c.inputs[0].dtype(), c.inputs[0].shape());
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t k = part * contraction / parts; k < (part + 1) * contraction / parts; ++k)
        a.set(i * contraction + k, c.inputs[0][i * contraction + k]);
    const HostArray partial = multiply(product, a, c.inputs[1]);
    meshmul::reduce(sum.view(), partial.view(), {});
  }
  return sum;
}

TEST(Check, AllowsPartialSumsTheirRoundings) {
  for (const std::string& dtype : kDtypes) {
    Computed c = computed(dtype + " A[I=9, J=1024] * B[J, K=8] -> C[I, K]");
    c.output = multiply_as_a_ring(c, 16);
    const CheckResult result = check(c, {.partial_sums = 16});
    EXPECT_TRUE(result.ok) << dtype << ": " << to_string(result);
    EXPECT_TRUE(check(c, {.partial_sums = 16, .most_flops = 0}).ok) << dtype;
    if (dtype == "bf16") {
      EXPECT_FALSE(check(c).ok);  // so the allowance is needed
    }
  }
}

TEST(Check, AllowsPartialSumsThatAreFarLargerThanTheResult) {
  // A ramp from negative to positive: the sums over the halves are large and cancel.
  Computed c = computed("bf16 A[I=3, J=4096] * B[J, K=4] -> C[I, K]");
  for (std::int64_t i = 0; i < c.inputs[0].num_elements(); ++i)
    c.inputs[0].set(i, static_cast<double>(i % 4096 - 2048) / 2048);
  for (std::int64_t i = 0; i < c.inputs[1].num_elements(); ++i) c.inputs[1].set(i, 1);
  c.output = multiply_as_a_ring(c, 8);
  const CheckResult result = check(c, {.partial_sums = 8});
  EXPECT_TRUE(result.ok) << to_string(result);
}

TEST(Check, EndsWhenItIsInterrupted) {
  for (const char* text : {"A[I=3, J=4] * B[J, K=5] -> C[I, K]", "f64 A[I=3, J=4] * B[J, K=5] -> C[I, K]"}) {
    try {
      check(computed(text), {.interrupted = [] { return true; }});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
    }
  }
}

TEST(Check, ResultsDoNotDependOnTheNumberOfThreads) {
  const Computed c = computed("A[L=2, I=600, J=7] * B[L, J, K=520] -> C[L, I, K]");
  const CheckResult one = check(c, {.num_threads = 1});
  const CheckResult three = check(c, {.num_threads = 3});
  EXPECT_TRUE(one.ok);
  EXPECT_EQ(to_string(one), to_string(three));
  EXPECT_EQ(one.elements_checked, c.output.num_elements());
}

TEST(Check, RefusesArraysOfAnotherShape) {
  Computed c = computed("A[I=3, J=4] * B[J, K=5] -> C[I, K]");
  const auto error = [&] {
    try {
      check(c);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  c.output = HostArray(Dtype::kF32, {5, 3});
  EXPECT_EQ(error(), "array C has shape [5, 3]; expected [3, 5]");
  c.inputs[1] = HostArray(Dtype::kF32, {4});
  EXPECT_EQ(error(), "array B has shape [4]; expected [4, 5]");
  c.inputs.pop_back();
  EXPECT_EQ(error(), "1 inputs are given; the statement has 2");
}

}  // namespace
}  // namespace meshmul
