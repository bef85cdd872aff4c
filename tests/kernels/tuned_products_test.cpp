// Every tuned library against the reference: random einsums over views inside bigger buffers.

#include "kernels/tuned_products.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <latch>
#include <thread>
#include <vector>

#include "kernels/local_products.hpp"
#include "kernels/reference_products.hpp"
#include "meshmul/error.hpp"
#include "test_array.hpp"

namespace meshmul {
namespace {

#ifdef __SANITIZE_THREAD__
// oneDNN's OpenMP was built without the sanitizer, which then reports races that are none.
constexpr bool kUsesOneDnn = false;
#else
constexpr bool kUsesOneDnn = true;
#endif

struct Library {
  std::string name;
  std::unique_ptr<LocalProductLibrary> products;
};

/// All that can be chosen on this CPU, and what remains on one without any feature.
std::vector<Library> libraries() {
  std::vector<Library> all;
  all.push_back({"openblas", make_local_products("openblas")});
  all.push_back({"oldest CPU", make_local_products("", CpuFeatures{})});
  if (kUsesOneDnn) all.push_back({"this CPU", make_local_products("")});
  return all;
}

/// An einsum with at most `most_letters` letters in each role, in random orders, and the extents of its letters.
struct RandomEinsum {
  Einsum einsum;
  std::array<std::int64_t, 128> extents{};

  Shape shape(const std::string& letters) const {
    Shape shape;
    for (const char letter : letters) shape.push_back(extents[static_cast<std::size_t>(letter)]);
    return shape;
  }
};

RandomEinsum random_einsum(std::mt19937_64& random, std::int64_t most_extent) {
  RandomEinsum result;
  char next = 'a';
  const auto letters = [&](std::uint64_t most) {
    std::string role;
    for (std::uint64_t count = random() % (most + 1); role.size() < count;) role += next++;
    return role;
  };
  const std::string batch = letters(1);
  const std::string left = letters(2);
  const std::string right = letters(2);
  const std::string contracted = letters(2);
  result.einsum = {batch + left + contracted, batch + contracted + right, batch + left + right};
  for (std::string* operand : {&result.einsum.a, &result.einsum.b, &result.einsum.c})
    if (random() % 2 == 0) std::shuffle(operand->begin(), operand->end(), random);
  for (std::int64_t& extent : result.extents) {
    extent = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most_extent));
    if (random() % 40 == 0) extent = 0;
  }
  return result;
}

/// a, b and c of one product; c holds something already.
struct Operands {
  Operands(const RandomEinsum& random_einsum, Dtype inputs, Dtype output, std::mt19937_64& random)
      : a(inputs, random_einsum.shape(random_einsum.einsum.a), random),
        b(inputs, random_einsum.shape(random_einsum.einsum.b), random),
        c(output, random_einsum.shape(random_einsum.einsum.c), random) {}
  TestArray a, b, c;
};

/// Runs `library` and the reference on equal operands, and expects equal results.
void expect_exact(const Library& library, const Operands& operands, const Einsum& einsum, bool accumulate) {
  Operands tuned = operands;
  Operands reference = operands;
  library.products->gemm(tuned.c.view(), tuned.a.view(), tuned.b.view(), einsum, accumulate);
  ReferenceProducts().gemm(reference.c.view(), reference.a.view(), reference.b.view(), einsum, accumulate);
  EXPECT_EQ(tuned.c.values(), reference.c.values()) << library.name << " " << einsum.str();
  EXPECT_TRUE(tuned.c.margin_equals(operands.c)) << library.name << " " << einsum.str();
}

TEST(TunedProducts, equal_the_reference_on_small_integers_for_every_dtype_and_einsum) {
  std::mt19937_64 random(1);
  for (const Library& library : libraries())
    for (const Dtype dtype : kAllDtypes)
      for (int round = 0; round < 60; ++round) {
        const RandomEinsum random_product = random_einsum(random, 7);
        Operands operands(random_product, dtype, product_dtype(dtype), random);
        operands.a.fill_integers(random, 3);
        operands.b.fill_integers(random, 3);
        const bool accumulate = round % 2 == 0;
        // Without `accumulate` nothing of c may be read: it is NaN.
        operands.c.poison();
        if (accumulate) operands.c.fill_integers(random, 8);
        expect_exact(library, operands, random_product.einsum, accumulate);
      }
}

TEST(TunedProducts, round_once_into_an_output_of_any_dtype) {
  std::mt19937_64 random(2);
  for (const Library& library : libraries())
    for (const Dtype dtype : kAllDtypes)
      for (const Dtype output : {Dtype::kF64, Dtype::kF32, Dtype::kBf16, Dtype::kF16})
        for (const bool accumulate : {false, true}) {
          const RandomEinsum random_product = random_einsum(random, 5);
          Operands operands(random_product, dtype, output, random);
          operands.a.fill_integers(random, 3);
          operands.b.fill_integers(random, 3);
          operands.c.fill_integers(random, 3);
          expect_exact(library, operands, random_product.einsum, accumulate);
        }
}

RandomEinsum matrices(std::int64_t m, std::int64_t n, std::int64_t k, const char* einsum) {
  RandomEinsum result;
  result.einsum = parse_einsum(einsum);
  result.extents['i'] = m;
  result.extents['j'] = k;
  result.extents['k'] = n;
  return result;
}

TEST(TunedProducts, are_exact_for_i8_of_any_size_and_depth) {
  std::mt19937_64 random(3);
  // Sums up to 2101 * 2^14 are beyond the 2^24 that f32 holds exactly, and pairs of products beyond 2^15.
  for (const Library& library : libraries())
    for (const char* einsum : {"ij,jk->ik", "ji,kj->ki", "ij,kj->ik"})
      for (const auto& [m, n, k] :
           {std::array<std::int64_t, 3>{9, 20, 2101}, {20, 24, 1025}, {1, 17, 3001}, {17, 1, 3001}}) {
        const RandomEinsum random_product = matrices(m, n, k, einsum);
        Operands operands(random_product, Dtype::kI8, Dtype::kI32, random);
        std::uniform_int_distribution<int> any(-128, 127);
        operands.a.each([&]<class T>(T& element) { element = convert<T>(any(random)); });
        operands.b.each([&]<class T>(T& element) { element = convert<T>(any(random)); });
        operands.c.fill_integers(random, 8);
        expect_exact(library, operands, random_product.einsum, false);
        expect_exact(library, operands, random_product.einsum, true);
        // Every pair of products saturates 16 bits; sums of 127 * 127 are odd, so that f32 would round them.
        for (const auto& [x, y] : {std::pair{-128.0F, -128.0F}, {127.0F, -128.0F}, {127.0F, 127.0F}}) {
          operands.a.each([&]<class T>(T& element) { element = convert<T>(x); });
          operands.b.each([&]<class T>(T& element) { element = convert<T>(y); });
          expect_exact(library, operands, random_product.einsum, false);
        }
      }
}

TEST(TunedProducts, add_i8_products_to_an_i32_that_f32_does_not_hold) {
  std::mt19937_64 random(4);
  for (const Library& library : libraries()) {
    const RandomEinsum random_product = matrices(20, 20, 30, "ij,jk->ik");
    Operands operands(random_product, Dtype::kI8, Dtype::kI32, random);
    operands.a.fill_integers(random, 8);
    operands.b.fill_integers(random, 8);
    operands.c.each([]<class T>(T& element) { element = convert<T>(16777217); });
    expect_exact(library, operands, random_product.einsum, true);
  }
}

TEST(TunedProducts, wrap_i32) {
  std::mt19937_64 random(5);
  for (const Library& library : libraries()) {
    const RandomEinsum random_product = matrices(9, 600, 11, "ij,jk->ik");
    Operands operands(random_product, Dtype::kI32, Dtype::kI32, random);
    operands.a.each([&]<class T>(T& element) { element = convert<T>(static_cast<std::int32_t>(random())); });
    operands.b.each([&]<class T>(T& element) { element = convert<T>(static_cast<std::int32_t>(random())); });
    expect_exact(library, operands, random_product.einsum, false);
    expect_exact(library, operands, random_product.einsum, true);
  }
}

/// The unit roundoff of a dtype: half of its spacing at 1.
double unit_roundoff(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return 0x1p-53;
    case Dtype::kF32: return 0x1p-24;
    case Dtype::kBf16: return 0x1p-8;  // spacing 2^-7
    case Dtype::kF16: return 0x1p-11;
    case Dtype::kF8e4m3: return 0x1p-4;
    case Dtype::kI8:
    case Dtype::kI32: return 0;
  }
  return 0;
}

/// |computed - exact| <= k u_sum * sum |a b| + u_out |exact| + smallest step: k roundings while adding, whatever the
/// order (Higham, Accuracy and Stability, eq. 3.5), and one into the output.
void expect_within_rounding(const Library& library, Dtype dtype, const RandomEinsum& random_product,
                            std::mt19937_64& random) {
  Operands operands(random_product, dtype, product_dtype(dtype), random);
  operands.a.fill_uniform(random);
  operands.b.fill_uniform(random);
  operands.c.poison();
  library.products->gemm(operands.c.view(), operands.a.view(), operands.b.view(), random_product.einsum, false);

  const auto as_f64 = [&](TestArray& array, const std::string& letters, bool absolute) {
    TestArray wide(Dtype::kF64, random_product.shape(letters), random);
    std::vector<double> values = array.values();
    std::size_t next = 0;
    wide.each([&]<class T>(T& element) {
      element = convert<T>(absolute ? std::abs(values[next]) : values[next]);
      ++next;
    });
    return wide;
  };
  const auto product = [&](bool absolute) {
    TestArray a = as_f64(operands.a, random_product.einsum.a, absolute);
    TestArray b = as_f64(operands.b, random_product.einsum.b, absolute);
    TestArray c(Dtype::kF64, random_product.shape(random_product.einsum.c), random);
    ReferenceProducts().gemm(c.view(), a.view(), b.view(), random_product.einsum, false);
    return c.values();
  };
  const std::vector<double> exact = product(false);
  const std::vector<double> magnitude = product(true);
  const std::vector<double> found = operands.c.values();
  const auto k = static_cast<double>(random_product.extents['j']);
  const Dtype output = product_dtype(dtype);
  for (std::size_t i = 0; i < found.size(); ++i) {
    // The f64 product that stands for the exact one has the same bound: twice for f64.
    const double adding = (dtype == Dtype::kF64 ? 2 : 1) * k * unit_roundoff(accumulator_of(dtype)) * magnitude[i];
    const double rounding = output == accumulator_of(dtype) ? 0 : unit_roundoff(output) * (std::abs(exact[i]) + adding);
    ASSERT_NEAR(found[i], exact[i], adding + rounding + 0x1p-25) << library.name << " " << name(dtype) << " k=" << k;
  }
}

TEST(TunedProducts, stay_within_the_rounding_of_k_additions_and_one_output) {
  std::mt19937_64 random(6);
  for (const Library& library : libraries())
    for (const Dtype dtype : {Dtype::kF64, Dtype::kF32, Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3})
      for (const char* einsum : {"ij,jk->ik", "ji,jk->ik", "ij,kj->ki"})
        for (const auto& [m, n, k] :
             {std::array<std::int64_t, 3>{19, 37, 300}, {1, 20, 2500}, {20, 1, 2500}, {5, 5, 1}})
          expect_within_rounding(library, dtype, matrices(m, n, k, einsum), random);
}

TEST(TunedProducts, cross_the_borders_of_panels_without_rounding_in_between) {
  std::mt19937_64 random(7);
  for (const Library& library : libraries())
    for (const Dtype dtype : {Dtype::kF16, Dtype::kBf16, Dtype::kI8}) {
      RandomEinsum twice_contracted = matrices(13, 14, 50, "ijl,ljk->ik");  // packed, since j and l are not one index
      twice_contracted.extents['l'] = 50;
      for (const RandomEinsum& random_product : {matrices(1700, 3, 20, "ij,jk->ik"), matrices(3, 1700, 20, "ij,jk->ik"),
                                                 matrices(3, 4, 2500, "ij,jk->ik"), twice_contracted}) {
        Operands operands(random_product, dtype, product_dtype(dtype), random);
        // Sums of k terms of 0 to 9 are exact in f32, and beyond what bf16 and f16 hold exactly.
        operands.a.fill_integers(random, 3);
        operands.b.fill_integers(random, 3);
        operands.c.fill_integers(random, 3);
        const auto make_positive = []<class T>(T& element) { element = convert<T>(std::abs(to_double(element))); };
        operands.a.each(make_positive);
        operands.b.each(make_positive);
        expect_exact(library, operands, random_product.einsum, true);
      }
    }
}

TEST(TunedProducts, run_on_several_threads_at_once_each_with_its_own_library) {
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < 4; ++rank)
    ranks.emplace_back([rank] {
      std::mt19937_64 random(static_cast<std::uint64_t>(rank));
      for (const Library& library : libraries())
        for (const Dtype dtype : {Dtype::kF32, Dtype::kBf16, Dtype::kI8})
          for (int round = 0; round < 5; ++round) {
            const RandomEinsum random_product = matrices(40, 50, 60 + round, "ij,jk->ik");
            Operands operands(random_product, dtype, product_dtype(dtype), random);
            operands.a.fill_integers(random, 2);
            operands.b.fill_integers(random, 2);
            expect_exact(library, operands, random_product.einsum, false);
          }
    });
}

// Below 100^3 OpenBLAS needs no packing buffer, which is what its build without threads hands out without a lock.
TEST(TunedProducts, pack_their_operands_on_several_threads_at_once) {
  constexpr int kRanks = 8;
  constexpr int kRounds = 100;
  std::latch all_are_ready(kRanks);
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < kRanks; ++rank)
    ranks.emplace_back([rank, &all_are_ready] {
      std::mt19937_64 random(static_cast<std::uint64_t>(rank));
      const Library openblas{"openblas", make_local_products("openblas")};
      const RandomEinsum random_product = matrices(101 + rank, 120, 110, "ij,jk->ik");
      Operands operands(random_product, Dtype::kF32, Dtype::kF32, random);
      operands.a.fill_integers(random, 3);
      operands.b.fill_integers(random, 3);
      TestArray expected = operands.c;
      ReferenceProducts().gemm(expected.view(), operands.a.view(), operands.b.view(), random_product.einsum, false);
      all_are_ready.arrive_and_wait();
      for (int round = 0; round < kRounds; ++round) {
        openblas.products->gemm(operands.c.view(), operands.a.view(), operands.b.view(), random_product.einsum, false);
        ASSERT_EQ(operands.c.values(), expected.values()) << "rank " << rank << ", round " << round;
      }
    });
}

TEST(LocalProducts, describe_themselves) {
  EXPECT_EQ(make_local_products("reference")->description(), "reference loops");
  EXPECT_THAT(
      make_local_products("openblas")->description(),
      testing::MatchesRegex("OpenBLAS [0-9.]+ \\(.+, one thread\\): f64 f32 bf16 f16 f8e4m3 i8; blocked loops: i32"));
  EXPECT_EQ(make_local_products("", CpuFeatures{})->description(), make_local_products("openblas")->description());
}

TEST(LocalProducts, refuse_what_is_unknown_or_what_this_cpu_cannot_run) {
  try {
    make_local_products("mkl");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(error.what(), "local product library 'mkl' is unknown; there are reference, openblas and onednn");
  }
  try {
    make_local_products("onednn", CpuFeatures{});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_STREQ(error.what(),
                 "local product library 'onednn' needs a CPU with AVX-512 BF16 for bf16 or VNNI for i8, and this one "
                 "has neither; 'openblas' runs everywhere");
  }
}

}  // namespace
}  // namespace meshmul
