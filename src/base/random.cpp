// The hash, and the values of each dtype that are drawn from it.
#include "meshmul/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "meshmul/element.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15U;

/// The output function of splitmix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

/// Bits of the significand, the leading one included: whole numbers up to 2^bits are exact, and the multiples of
/// 2^-bits in [-1, 1) too. Of an integer, the bits below its sign.
template <class T>
constexpr int kSignificandBits = std::numeric_limits<T>::digits;
template <>
constexpr int kSignificandBits<Bf16> = 8;
template <>
constexpr int kSignificandBits<F16> = 11;
template <>
constexpr int kSignificandBits<F8e4m3> = 4;

/// Uniform in 0 … count - 1; count is at most 2^32.
constexpr std::uint64_t choose(std::uint64_t hash, std::uint64_t count) { return ((hash >> 32U) * count) >> 32U; }

/// From a hash to an element that is uniform over the whole numbers from -to to `to`.
template <class T>
auto whole_number_from(std::int64_t to) {
  return [to](std::uint64_t hash) {
    const auto step = static_cast<std::int64_t>(choose(hash, 2 * static_cast<std::uint64_t>(to) + 1));
    return convert<T>(static_cast<double>(step - to));
  };
}

/// From a hash to an element that is uniform over the multiples of 2^-bits in [-1, 1), or over the values of a byte.
template <class T>
T default_value_from(std::uint64_t hash) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(hash >> 56U) - 128);
  } else {
    constexpr std::int64_t kHalf = std::int64_t{1} << kSignificandBits<T>;
    const auto step = static_cast<std::int64_t>(hash >> static_cast<unsigned>(63 - kSignificandBits<T>));
    return convert<T>(static_cast<double>(step - kHalf) / static_cast<double>(kHalf));
  }
}

/// The values of `value_from` over `count` equal parts of the hashes. Narrow floats take few values, and a look-up is
/// far faster than rounding in software.
template <class T, class ValueFrom>
auto tabulated(std::uint64_t count, const ValueFrom& value_from) {
  std::vector<T> table;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first_hash = (((i << 32U) + count - 1) / count) << 32U;
    table.push_back(value_from(first_hash));
  }
  return [table = std::move(table), count](std::uint64_t hash) { return table[choose(hash, count)]; };
}

/// Calls `write(element, row-major number in the global array)` for every element of `box`.
template <class T, class Write>
void for_each_element(View dst, const Box& box, const Shape& global, const Write& write) {
  if (box.empty()) return;
  const int last = box.num_dims() - 1;
  const std::int64_t row_length = last < 0 ? 1 : box[last].size();
  const std::int64_t row_stride = last < 0 ? 1 : dst.strides[static_cast<std::size_t>(last)];
  std::array<std::int64_t, kMaxDims> at{};  // position of the row, relative to the box
  for (;;) {
    std::int64_t number = 0;
    std::int64_t offset = 0;
    for (int d = 0; d <= last; ++d) {
      const auto i = static_cast<std::size_t>(d);
      number = number * global[i] + box[d].begin + at[i];
      offset += at[i] * dst.strides[i];
    }
    T* row = reinterpret_cast<T*>(dst.data) + offset;
    for (std::int64_t j = 0; j < row_length; ++j)
      write(row[j * row_stride], static_cast<std::uint64_t>(number) + static_cast<std::uint64_t>(j));
    int d = last - 1;
    while (d >= 0 && ++at[static_cast<std::size_t>(d)] == box[d].size()) at[static_cast<std::size_t>(d--)] = 0;
    if (d < 0) return;
  }
}

template <class T>
void check_whole_numbers(Dtype dtype, std::int64_t to) {
  if (to < 0)
    throw Error(ErrorCode::kInvalidArgument, fmt::format("random whole numbers up to {}; expected at least 1", to));
  // An integer does not hold 2^bits itself; and 32 bits of a hash choose among at most 2^32 values.
  constexpr std::int64_t kExact = (std::int64_t{1} << kSignificandBits<T>)-(std::is_integral_v<T> ? 1 : 0);
  constexpr std::int64_t kMost = std::min(kExact, (std::int64_t{1} << 31) - 1);
  if (to > kMost)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("random whole numbers up to {}; expected at most {} for {}", to, kMost, name(dtype)));
}

}  // namespace

void fill_random(View dst, const Box& box, const Shape& global, const RandomValues& values) {
  assert(dst.num_dims == box.num_dims() && box.num_dims() == static_cast<int>(global.size()));
  const std::uint64_t key = mix(values.seed + kGoldenGamma);
  const auto hash = [key](std::uint64_t number) { return mix(key + (number + 1) * kGoldenGamma); };
  with_element_type(dst.dtype, [&]<class T>() {
    const std::int64_t to = values.whole_numbers_to;
    check_whole_numbers<T>(dst.dtype, to);
    const auto fill = [&](const auto& value_from) {
      for_each_element<T>(dst, box, global,
                          [&](T& element, std::uint64_t number) { element = value_from(hash(number)); });
    };
    if constexpr (std::is_arithmetic_v<T>)
      to > 0 ? fill(whole_number_from<T>(to)) : fill(default_value_from<T>);
    else if (to > 0)
      fill(tabulated<T>(2 * static_cast<std::uint64_t>(to) + 1, whole_number_from<T>(to)));
    else
      fill(tabulated<T>(std::uint64_t{2} << kSignificandBits<T>, default_value_from<T>));
  });
}

HostArray random_array(Dtype dtype, const Shape& shape, const RandomValues& values) {
  HostArray array(dtype, shape);
  fill_random(array.view(), Box::whole(shape), shape, values);
  return array;
}

std::uint64_t seed_for(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = mix(seed + kGoldenGamma);
  for (const char c : name) hash = mix(hash + kGoldenGamma + static_cast<unsigned char>(c));
  return hash;
}

}  // namespace meshmul
