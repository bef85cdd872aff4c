#include "ring_shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace meshmul {
namespace {

// How much of the links of every axis (a row) a part takes (a column), were it all of the work.
std::vector<std::vector<double>> loads_of_axes(const std::vector<int>& sizes) {
  const std::size_t k = sizes.size();
  std::vector<std::vector<double>> loads(k, std::vector<double>(k));
  for (std::size_t part = 0; part < k; ++part) {
    double held = 1;
    for (std::size_t phase = 0; phase < k; ++phase) {
      const std::size_t axis = (part + phase) % k;
      const auto size = static_cast<double>(sizes[axis]);
      loads[axis][part] = held * (size - 1);
      held *= size;
    }
  }
  return loads;
}

// Solves rows x = 1, by Gauss and Jordan.
std::vector<double> solve_for_ones(std::vector<std::vector<double>> rows) {
  const std::size_t k = rows.size();
  for (std::vector<double>& row : rows) row.push_back(1);
  for (std::size_t column = 0; column < k; ++column) {
    const auto largest =
        std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(column), rows.end(),
                         [&](const auto& a, const auto& b) { return std::abs(a[column]) < std::abs(b[column]); });
    std::swap(rows[column], *largest);
    for (std::size_t other = 0; other < k; ++other) {
      if (other == column) continue;
      const double factor = rows[other][column] / rows[column][column];
      for (std::size_t i = column; i <= k; ++i) rows[other][i] -= factor * rows[column][i];
    }
  }
  std::vector<double> solution;
  for (std::size_t i = 0; i < k; ++i) solution.push_back(rows[i][k] / rows[i][i]);
  return solution;
}

}  // namespace

std::vector<double> balanced_shares(const std::vector<int>& sizes) {
  std::vector<double> shares = solve_for_ones(loads_of_axes(sizes));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace meshmul
