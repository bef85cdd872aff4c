#include "integer_kernel.hpp"

#include <algorithm>

namespace meshmul {
namespace {

// Unsigned, since sums that wrap are defined for unsigned types alone.
using Word = std::uint32_t;

/// Rows of c that share each load of a row of b.
constexpr std::int64_t kRows = 4;
/// Columns of c that stay in the first-level cache while the contraction runs.
constexpr std::int64_t kColumns = 512;

/// c[i, j] += sum over p of a[i, p] * b[p, j], for `rows` <= kRows and `columns` <= kColumns.
[[gnu::always_inline]] inline void add_tile(Word* c, std::int64_t c_leading, const Word* a, std::int64_t a_leading,
                                            const Word* b, std::int64_t b_leading, std::int64_t rows,
                                            std::int64_t columns, std::int64_t depth) {
  for (std::int64_t p = 0; p < depth; ++p) {
    const Word* b_row = b + p * b_leading;
    if (rows == kRows) {
      const Word a0 = a[p];
      const Word a1 = a[a_leading + p];
      const Word a2 = a[2 * a_leading + p];
      const Word a3 = a[3 * a_leading + p];
      Word* __restrict c0 = c;
      Word* __restrict c1 = c + c_leading;
      Word* __restrict c2 = c + 2 * c_leading;
      Word* __restrict c3 = c + 3 * c_leading;
      for (std::int64_t j = 0; j < columns; ++j) {
        const Word value = b_row[j];
        c0[j] += a0 * value;
        c1[j] += a1 * value;
        c2[j] += a2 * value;
        c3[j] += a3 * value;
      }
    } else {
      for (std::int64_t i = 0; i < rows; ++i) {
        const Word factor = a[i * a_leading + p];
        Word* __restrict c_row = c + i * c_leading;
        for (std::int64_t j = 0; j < columns; ++j) c_row[j] += factor * b_row[j];
      }
    }
  }
}

[[gnu::always_inline]] inline void multiply_words(const MatrixProduct& product) {
  const auto* a = reinterpret_cast<const Word*>(product.a.data);
  const auto* b = reinterpret_cast<const Word*>(product.b.data);
  auto* c = reinterpret_cast<Word*>(product.c.data);
  const std::int64_t leading = product.c.leading;
  for (std::int64_t i = 0; i < product.m; i += kRows)
    for (std::int64_t j = 0; j < product.n; j += kColumns) {
      const std::int64_t rows = std::min(kRows, product.m - i);
      const std::int64_t columns = std::min(kColumns, product.n - j);
      if (!product.accumulate)
        for (std::int64_t r = 0; r < rows; ++r) std::fill_n(c + (i + r) * leading + j, columns, Word(0));
      add_tile(c + i * leading + j, leading, a + i * product.a.leading, product.a.leading, b + j, product.b.leading,
               rows, columns, product.k);
    }
}

void multiply_plain(const MatrixProduct& product) { multiply_words(product); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] void multiply_avx2(const MatrixProduct& product) { multiply_words(product); }
#endif

}  // namespace

void IntegerKernel::multiply(const MatrixProduct& product) {
#if defined(__x86_64__)
  if (cpu_.avx2) return multiply_avx2(product);
#endif
  multiply_plain(product);
}

}  // namespace meshmul
