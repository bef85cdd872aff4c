#include "reference_products.hpp"

#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "meshmul/element.hpp"
#include "runs.hpp"

namespace meshmul {
namespace {

/// One letter of the einsum: its extent, and how far it steps in each operand (0 where it does not stand).
struct Index {
  std::int64_t extent = 0;
  std::int64_t a = 0, b = 0, c = 0;
};

std::int64_t stride_of(char letter, const std::string& letters, const ConstView& view) {
  const std::size_t d = letters.find(letter);
  return d == std::string::npos ? 0 : view.strides[d];
}

std::vector<Index> indices_of(const std::string& letters, const ConstView& view, const Einsum& einsum,
                              const ConstView& a, const ConstView& b, const ConstView& c) {
  std::vector<Index> indices;
  for (std::size_t d = 0; d < letters.size(); ++d)
    indices.push_back({view.extents[d], stride_of(letters[d], einsum.a, a), stride_of(letters[d], einsum.b, b),
                       stride_of(letters[d], einsum.c, c)});
  return indices;
}

/// The letters of a that c lacks.
std::vector<Index> contracted_indices(const Einsum& einsum, const ConstView& a, const ConstView& b,
                                      const ConstView& c) {
  std::vector<Index> contracted;
  const std::vector<Index> of_a = indices_of(einsum.a, a, einsum, a, b, c);
  for (std::size_t d = 0; d < of_a.size(); ++d)
    if (einsum.c.find(einsum.a[d]) == std::string::npos) contracted.push_back(of_a[d]);
  return contracted;
}

/// Calls f(offset in a, in b, in c) for every value of all indices, the last fastest.
template <class F>
void for_each(const std::vector<Index>& indices, std::int64_t a, std::int64_t b, std::int64_t c, F&& f,
              std::size_t depth = 0) {
  if (depth == indices.size()) return f(a, b, c);
  const Index& index = indices[depth];
  for (std::int64_t i = 0; i < index.extent; ++i)
    for_each(indices, a + i * index.a, b + i * index.b, c + i * index.c, f, depth + 1);
}

/// sum + x * y; integers wrap.
template <class T>
T multiply_add(T sum, T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(sum) + static_cast<Unsigned>(x) * static_cast<Unsigned>(y));
  } else {
    return sum + x * y;
  }
}

template <class T>
void multiply(View c, ConstView a, ConstView b, const Einsum& einsum, bool accumulate) {
  using Sum = Accumulator<T>;
  const Dtype accumulator = accumulator_of(a.dtype);
  const auto* a_elements = reinterpret_cast<const T*>(a.data);
  const auto* b_elements = reinterpret_cast<const T*>(b.data);
  const std::vector<Index> output = indices_of(einsum.c, c, einsum, a, b, c);
  const std::vector<Index> contracted = contracted_indices(einsum, a, b, c);

  for_each(output, 0, 0, 0, [&](std::int64_t a_begin, std::int64_t b_begin, std::int64_t c_offset) {
    std::byte* element = c.data + c_offset * size_bytes(c.dtype);
    Sum sum{};
    if (accumulate) convert_run(reinterpret_cast<std::byte*>(&sum), accumulator, element, c.dtype, 1);
    for_each(contracted, a_begin, b_begin, 0, [&](std::int64_t a_offset, std::int64_t b_offset, std::int64_t) {
      sum = multiply_add(sum, convert<Sum>(a_elements[a_offset]), convert<Sum>(b_elements[b_offset]));
    });
    convert_run(element, c.dtype, reinterpret_cast<const std::byte*>(&sum), accumulator, 1);
  });
}

}  // namespace

void ReferenceProducts::gemm(View c, ConstView a, ConstView b, const Einsum& einsum, bool accumulate) {
  assert(a.dtype == b.dtype);
  with_element_type(a.dtype, [&]<class T>() { multiply<T>(c, a, b, einsum, accumulate); });
}

}  // namespace meshmul
