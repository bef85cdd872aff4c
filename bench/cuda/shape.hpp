#pragma once
// The products that benchmarks on the device measure.

#include <cstdint>
#include <string>
#include <vector>

/// c (m x n) = a b, with a contraction of k.
struct Shape {
  std::int64_t m = 0, n = 0, k = 0;
  /// `4096x1792x4096`
  std::string str() const;
  double mega_flop() const { return 2e-6 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

/// Shapes written as `str` writes them. Throws CLI::ValidationError.
std::vector<Shape> parse_shapes(const std::vector<std::string>& texts);

/// How the operands lie: a is m x k or k x m, b is k x n or n x k.
struct Layout {
  bool a_rows_together = false;
  bool b_columns_together = false;
};
