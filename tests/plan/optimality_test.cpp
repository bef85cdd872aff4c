// Plans against the exhaustive planner of exhaustive.hpp, on small random products.
#include <gtest/gtest.h>

#include <random>

#include "meshmul/error.hpp"
#include "meshmul/pareto.hpp"
#include "plan/exhaustive.hpp"

namespace meshmul {
namespace {

using testing::Exhaustive;

class RandomProducts {
 public:
  explicit RandomProducts(unsigned seed) : random_(seed) {}

  int pick(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }

  Mesh mesh() {
    Mesh one{{"X", pick(2, 5)}};
    Mesh two{{"X", pick(2, 4)}, {"Y", pick(2, 4)}};
    return pick(0, 2) == 0 ? one : two;
  }

  /// A network on which bytes, hops or the product may decide.
  Hardware hardware() {
    Hardware toy;
    toy.name = "toy";
    toy.chip.flops_per_second[Dtype::kF32] = pick(1, 4) * 1e6;
    toy.chip.memory_bytes_per_second = pick(1, 4) * 1e6;
    toy.network.kind = pick(0, 3) == 0 ? NetworkKind::kSwitch : NetworkKind::kTorus;
    toy.network.link_bytes_per_second = pick(1, 9) * 1e4;
    toy.network.hop_seconds = pick(1, 9) * 1e-4;
    return toy;
  }

  Product product(const Mesh& mesh) {
    static const std::vector<std::vector<const char*>> kEinsums{{"IJ", "JK", "IK"},    {"IJ", "JK", "KI"},
                                                                {"GIJ", "GJK", "GIK"}, {"IJ", "K", "IJK"},
                                                                {"J", "J", ""},        {"IJL", "JL", "I"}};
    const auto& letters = kEinsums[static_cast<std::size_t>(pick(0, static_cast<int>(kEinsums.size()) - 1))];
    sizes_.clear();
    return {array("A", letters[0], mesh), array("B", letters[1], mesh), array("C", letters[2], mesh)};
  }

 private:
  ArrayType array(const char* name, const std::string& indices, const Mesh& mesh) {
    ArrayType type{name, Dtype::kF32, {}, Sharding::replicated(static_cast<int>(indices.size())), false};
    for (const char index : indices) {
      if (!sizes_.contains(index)) sizes_[index] = pick(1, 40);
      type.dims.push_back({std::string(1, index), sizes_[index]});
    }
    for (const int axis : pick(0, 1) == 0 ? std::vector{0, 1} : std::vector{1, 0}) {
      const int place = pick(0, type.num_dims() + 1);
      if (axis >= mesh.num_axes() || place > type.num_dims()) continue;
      if (place == type.num_dims())
        type.sharding.unreduced.insert(type.sharding.unreduced.begin(), pick(0, 2) == 0 ? 1 : 0, axis);
      else
        type.sharding.dims[static_cast<std::size_t>(place)].push_back(axis);
    }
    std::sort(type.sharding.unreduced.begin(), type.sharding.unreduced.end());
    return type;
  }

  std::mt19937 random_;
  std::map<char, std::int64_t> sizes_;
};

double fastest(const Exhaustive::Front& ways) {
  double seconds = std::numeric_limits<double>::infinity();
  for (const Exhaustive::Cost& way : ways) seconds = std::min(seconds, way.seconds);
  return seconds;
}

PlanOptions book() {
  PlanOptions options;
  options.cost = *find_cost_model("book");
  return options;
}

/// The fastest first, without those whose time is more than that of a smaller one by rounding alone.
Exhaustive::Front in_order(Exhaustive::Front ways) {
  std::sort(ways.begin(), ways.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  Exhaustive::Front kept;
  for (const Exhaustive::Cost& way : ways)
    if (kept.empty() || way.seconds < kept.back().seconds * (1 - 1e-12)) kept.push_back(way);
  std::reverse(kept.begin(), kept.end());
  return kept;
}

constexpr int kCases = 60 / MESHMUL_RANDOM_CASE_DIVISOR;

TEST(Optimality, NoChainOfMovesIsFasterThanThePlan) {
  RandomProducts draw(1);
  for (int i = 0; i < kCases; ++i) {
    const Mesh mesh = draw.mesh();
    const Product product = draw.product(mesh);
    const Hardware hardware = draw.hardware();
    SCOPED_TRACE(to_string(Statement(product), mesh) + " over " + mesh.str());
    const double seconds = fastest(Exhaustive(product, mesh, hardware, Dtype::kF32).ways());
    EXPECT_NEAR(plan(product, mesh, hardware, book()).seconds_sequential, seconds, seconds * 1e-9);
  }
}

TEST(Optimality, NoChainOfMovesIsFasterWithAWideWireDtype) {
  RandomProducts draw(2);
  for (int i = 0; i < kCases / 3; ++i) {
    const Mesh mesh = draw.mesh();
    const Product product = draw.product(mesh);
    const Hardware hardware = draw.hardware();
    SCOPED_TRACE(to_string(Statement(product), mesh) + " over " + mesh.str());
    PlanOptions options = book();
    options.wire_dtype = Dtype::kF64;
    const double seconds = fastest(Exhaustive(product, mesh, hardware, Dtype::kF64).ways());
    EXPECT_NEAR(plan(product, mesh, hardware, options).seconds_sequential, seconds, seconds * 1e-9);
  }
}

TEST(Optimality, NoChainOfMovesThatFitsIsFasterUnderAMemoryLimit) {
  RandomProducts draw(3);
  int limits_that_bind = 0;
  for (int i = 0; i < kCases; ++i) {
    const Mesh mesh = draw.mesh();
    const Product product = draw.product(mesh);
    const Hardware hardware = draw.hardware();
    SCOPED_TRACE(to_string(Statement(product), mesh) + " over " + mesh.str());
    const Exhaustive::Front ways = Exhaustive(product, mesh, hardware, Dtype::kF32).ways();
    double least = std::numeric_limits<double>::infinity();
    for (const Exhaustive::Cost& limit : ways) {
      Exhaustive::Front fitting;
      for (const Exhaustive::Cost& way : ways)
        if (way.bytes <= limit.bytes) fitting.push_back(way);
      PlanOptions options = book();
      options.memory_bytes = static_cast<std::int64_t>(limit.bytes);
      const Plan found = plan(product, mesh, hardware, options);
      EXPECT_NEAR(found.seconds_sequential, fastest(fitting), fastest(fitting) * 1e-9);
      EXPECT_LE(found.peak_bytes, *options.memory_bytes);
      least = std::min(least, limit.bytes);
      if (fitting.size() < ways.size()) ++limits_that_bind;
    }
    PlanOptions too_little = book();
    too_little.memory_bytes = static_cast<std::int64_t>(least) - 1;
    EXPECT_THROW(plan(product, mesh, hardware, too_little), Error);
  }
  EXPECT_GT(limits_that_bind, 0);
}

TEST(Optimality, TheFrontIsThatOfAllChainsOfMoves) {
  RandomProducts draw(4);
  std::size_t most_plans = 0;
  for (int i = 0; i < kCases; ++i) {
    const Mesh mesh = draw.mesh();
    const Product product = draw.product(mesh);
    const Hardware hardware = draw.hardware();
    SCOPED_TRACE(to_string(Statement(product), mesh) + " over " + mesh.str());
    const Exhaustive::Front expected = in_order(Exhaustive(product, mesh, hardware, Dtype::kF32).ways());
    const std::vector<Plan> found = pareto_front(product, mesh, hardware, book());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t plan = 0; plan < found.size(); ++plan) {
      EXPECT_EQ(static_cast<double>(found[plan].peak_bytes), expected[plan].bytes);
      EXPECT_NEAR(found[plan].seconds_sequential, expected[plan].seconds, expected[plan].seconds * 1e-9);
    }
    most_plans = std::max(most_plans, found.size());
  }
  EXPECT_GE(most_plans, 4U);
}

}  // namespace
}  // namespace meshmul
