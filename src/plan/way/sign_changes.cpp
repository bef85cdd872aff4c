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

int sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }
int sign(const Point& point) { return sign(point.sample.value); }

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

/// A zero that both its neighbours lack is where the sign changes, not a sign.
void drop_lone_zeros(std::vector<Point>& points) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool follows_zero = i > 0 && sign(points[i - 1]) == 0;
    const bool zero_follows = i + 1 < points.size() && sign(points[i + 1]) == 0;
    if (sign(points[i]) != 0 || follows_zero || zero_follows) kept.push_back(points[i]);
  }
  points = std::move(kept);
}

}  // namespace

Signs signs_of(const std::function<Sample(double)>& f, double low, double high) {
  std::vector<Point> points = look(f, low, high);
  drop_lone_zeros(points);
  Signs signs{points.empty() ? 0 : sign(points.front()), {}};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const int before = sign(points[i - 1]);
    const int after = sign(points[i]);
    if (before == after) continue;
    // Towards zero the old sign ends; otherwise the new one begins.
    const auto has_changed = [&](double x) {
      return after == 0 ? sign(f(x).value) != before : sign(f(x).value) == after;
    };
    signs.changes.push_back({bisect(points[i - 1].at, points[i].at, has_changed).second, after});
  }
  return signs;
}

}  // namespace meshmul
