#include "shape.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

std::string Shape::str() const { return fmt::format("{}x{}x{}", m, n, k); }

std::vector<Shape> parse_shapes(const std::vector<std::string>& texts) {
  std::vector<Shape> shapes;
  for (const std::string& text : texts) {
    long m = 0, n = 0, k = 0;
    if (std::sscanf(text.c_str(), "%ldx%ldx%ld", &m, &n, &k) != 3 || m < 1 || n < 1 || k < 1)
      throw CLI::ValidationError("--shapes", text + " is not M x N x K, such as 4096x1792x4096");
    shapes.push_back({m, n, k});
  }
  return shapes;
}
