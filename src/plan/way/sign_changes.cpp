#include "plan/way/sign_changes.hpp"

#include <cmath>
#include <utility>

namespace meshmul {
namespace {

constexpr int kNumPoints = 1000;

struct Point {
  double at = 0;
  Sample sample;
};

/// The two neighbouring numbers between which `is_right` begins to hold; it does at `right`, and not at `left`.
template <class IsRight>
std::pair<double, double> bisect(double left, double right, const IsRight& is_right) {
  for (;;) {
    const double middle = left + (right - left) / 2;
    if (middle <= left || middle >= right) return {left, right};
    (is_right(middle) ? right : left) = middle;
  }
}

/// The grid, and both sides of a kink wherever neighbours took other branches.
std::vector<Point> look(const std::function<Sample(double)>& f, double low, double high) {
  std::vector<Point> points{{low, f(low)}};
  for (int i = 1; i < kNumPoints; ++i) {
    const double share = static_cast<double>(i) / (kNumPoints - 1);
    const double at = i + 1 == kNumPoints ? high : low * std::pow(high / low, share);
    Point next{at, f(at)};
    const Point& last = points.back();
    if (next.sample.branches != last.sample.branches) {
      const std::vector<int> before = last.sample.branches;
      const auto [left, right] = bisect(last.at, at, [&](double x) { return f(x).branches != before; });
      points.push_back({left, f(left)});
      points.push_back({right, f(right)});
    }
    points.push_back(std::move(next));
  }
  return points;
}

}  // namespace

std::vector<SignChange> sign_changes(const std::function<Sample(double)>& f, double low, double high) {
  std::vector<SignChange> changes;
  const Point* signed_before = nullptr;
  const std::vector<Point> points = look(f, low, high);
  for (const Point& point : points) {
    if (point.sample.value == 0) continue;
    const bool positive = point.sample.value > 0;
    if (signed_before != nullptr && (signed_before->sample.value > 0) != positive) {
      const auto has_new_sign = [&](double x) {
        const double value = f(x).value;
        return value != 0 && (value > 0) == positive;
      };
      changes.push_back({bisect(signed_before->at, point.at, has_new_sign).second, positive});
    }
    signed_before = &point;
  }
  return changes;
}

}  // namespace meshmul
