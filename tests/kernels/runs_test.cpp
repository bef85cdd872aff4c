#include "kernels/runs.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "meshmul/element.hpp"

namespace meshmul {
namespace {

template <class T>
std::byte* bytes(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

TEST(ConvertRun, widens_every_f16_alike_with_and_without_vectors) {
  std::vector<F16> all(1 << 16);
  for (std::size_t code = 0; code < all.size(); ++code) all[code].bits = static_cast<std::uint16_t>(code);
  for (const CpuFeatures& cpu : {CpuFeatures{}, cpu_features()}) {
    std::vector<float> wide(all.size());
    convert_run(bytes(wide), Dtype::kF32, bytes(all), Dtype::kF16, static_cast<std::int64_t>(all.size()), cpu);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto expected = static_cast<float>(all[i]);
      EXPECT_TRUE(wide[i] == expected || (std::isnan(wide[i]) && std::isnan(expected))) << i;
    }
  }
}

TEST(ConvertRun, converts_every_dtype_pair_alike_with_and_without_vectors) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> values(0, 50);
  constexpr std::int64_t kElements = 1033;
  for (const Dtype from : kAllDtypes)
    for (const Dtype to : kAllDtypes) {
      std::vector<double> numbers(kElements);
      for (double& number : numbers) number = std::clamp(values(random), -127.0, 127.0);
      std::vector<double> src(kElements);
      std::vector<double> plain(kElements);
      std::vector<double> fast(kElements);
      convert_run(bytes(src), from, bytes(numbers), Dtype::kF64, kElements, CpuFeatures{});
      convert_run(bytes(plain), to, bytes(src), from, kElements, CpuFeatures{});
      convert_run(bytes(fast), to, bytes(src), from, kElements);
      EXPECT_EQ(std::memcmp(plain.data(), fast.data(), static_cast<std::size_t>(kElements * size_bytes(to))), 0)
          << name(to) << " from " << name(from);
    }
}

TEST(SumRun, has_the_bits_of_a_copy_and_an_addition_of_every_dtype_with_and_without_vectors) {
  constexpr std::int64_t kElements = 1033;
  std::mt19937_64 random(2);
  std::normal_distribution<double> values(0, 50);
  std::vector<double> numbers[2];
  for (std::vector<double>& each : numbers)
    for (std::int64_t i = 0; i < kElements; ++i) each.push_back(std::clamp(values(random), -60.0, 60.0));
  for (const Dtype dtype : kAllDtypes)
    for (const CpuFeatures& cpu : {CpuFeatures{}, cpu_features()}) {
      std::vector<double> a(kElements), b(kElements), sums(kElements);
      convert_run(bytes(a), dtype, bytes(numbers[0]), Dtype::kF64, kElements);
      convert_run(bytes(b), dtype, bytes(numbers[1]), Dtype::kF64, kElements);
      sum_run(bytes(sums), bytes(a), bytes(b), dtype, kElements, cpu);
      add_run(bytes(a), bytes(b), dtype, kElements, cpu);
      EXPECT_EQ(std::memcmp(a.data(), sums.data(), static_cast<std::size_t>(kElements * size_bytes(dtype))), 0)
          << name(dtype);
    }
}

TEST(AddRun, adds_alike_with_and_without_vectors) {
  for (const CpuFeatures& cpu : {CpuFeatures{}, cpu_features()}) {
    std::vector<float> sums(37);
    std::vector<float> terms(37);
    std::iota(sums.begin(), sums.end(), 0.0F);
    std::iota(terms.begin(), terms.end(), 100.0F);
    add_run(bytes(sums), bytes(terms), Dtype::kF32, 37, cpu);
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], 100.0F + 2 * static_cast<float>(i));
  }
}

}  // namespace
}  // namespace meshmul
