// What must hold between the plans of related statements.
#include <algorithm>
#include <numeric>

#include "meshmul/plan.hpp"
#include "notation/random_statement.hpp"
#include "plan/report/step_text.hpp"
#include "plan/toy_hardware.hpp"
#include "properties/check_property.hpp"

namespace meshmul {
namespace {

using testing::any_sized_product;
using testing::any_sized_reshard;
using testing::any_sized_statement;
using testing::check_property;
using testing::StatementCase;
using testing::toy_hardware;

std::vector<ArrayType*> arrays(Statement& statement) {
  std::vector<ArrayType*> all = inputs(statement);
  all.push_back(&output(statement));
  return all;
}

/// Calls `change` with every list of axes in the statement.
template <class F>
void for_each_axes(Statement& statement, F&& change) {
  if (auto* collective = std::get_if<Collective>(&statement)) change(collective->axes);
  for (ArrayType* array : arrays(statement)) {
    for (std::vector<int>& axes : array->sharding.dims) change(axes);
    change(array->sharding.unreduced);
    std::sort(array->sharding.unreduced.begin(), array->sharding.unreduced.end());
  }
}

bool about_equal(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

Plan planned(const StatementCase& c, NetworkKind kind = NetworkKind::kTorus) {
  return plan(c.statement, c.mesh, toy_hardware(kind));
}

std::vector<std::string> labels(const Plan& plan) {
  std::vector<std::string> all;
  for (const Step& step : plan.steps) all.push_back(step_label(step, plan.mesh));
  return all;
}

TEST(Invariance, OtherNamesAndAnotherOrderOfMeshAxesChangeNoCost) {
  check_property(100, [] {
    const StatementCase c = *any_sized_statement();
    std::vector<int> new_place(static_cast<std::size_t>(c.mesh.num_axes()));
    std::iota(new_place.begin(), new_place.end(), 0);
    std::rotate(new_place.begin(), new_place.begin() + (new_place.empty() ? 0 : 1), new_place.end());
    StatementCase other = c;
    std::vector<MeshAxis> axes(new_place.size());
    for (int axis = 0; axis < c.mesh.num_axes(); ++axis) {
      const int place = new_place[static_cast<std::size_t>(axis)];
      axes[static_cast<std::size_t>(place)] = {"a" + std::to_string(9 - place), c.mesh.size(axis)};
    }
    other.mesh = Mesh(axes);
    for_each_axes(other.statement, [&](std::vector<int>& used) {
      for (int& axis : used) axis = new_place[static_cast<std::size_t>(axis)];
    });
    for (const NetworkKind kind : {NetworkKind::kTorus, NetworkKind::kSwitch}) {
      const Plan a = planned(c, kind);
      const Plan b = planned(other, kind);
      RC_ASSERT(about_equal(a.seconds_sequential, b.seconds_sequential));
      RC_ASSERT(a.peak_bytes == b.peak_bytes);
    }
  });
}

TEST(Invariance, AnAxisOfSize1ChangesNothing) {
  check_property(100, [] {
    const StatementCase c = *any_sized_statement();
    StatementCase wider = c;
    std::vector<MeshAxis> axes{{"one", 1}};
    axes.insert(axes.end(), c.mesh.axes().begin(), c.mesh.axes().end());
    wider.mesh = Mesh(axes);
    for_each_axes(wider.statement, [](std::vector<int>& used) {
      for (int& axis : used) ++axis;
    });
    // It cuts one input and leaves the output partial, which means nothing.
    if (auto* product = std::get_if<Product>(&wider.statement)) {
      if (!product->a.dims.empty() && !product->a.open)
        product->a.sharding.dims[0].insert(product->a.sharding.dims[0].begin(), 0);
      if (!product->c.open) product->c.sharding.unreduced.insert(product->c.sharding.unreduced.begin(), 0);
    }
    const Plan a = planned(c);
    const Plan b = planned(wider);
    RC_ASSERT(labels(a) == labels(b));
    RC_ASSERT(a.seconds_sequential == b.seconds_sequential);
    RC_ASSERT(a.peak_bytes == b.peak_bytes);
  });
}

TEST(Invariance, LargerArraysTakeNoLessTime) {
  check_property(100, [] {
    const StatementCase c = *any_sized_statement();
    StatementCase larger = c;
    for (ArrayType* array : arrays(larger.statement))
      for (Dim& dim : array->dims) dim.size += dim.size / 2 + 1;
    RC_ASSERT(planned(c).seconds_sequential <= planned(larger).seconds_sequential);
  });
}

/// Nothing has to move: every device finds what it wants in what it has.
bool refines(const Sharding& from, const Sharding& to) {
  for (std::size_t d = 0; d < from.dims.size(); ++d)
    if (to.dims[d].size() < from.dims[d].size() ||
        !std::equal(from.dims[d].begin(), from.dims[d].end(), to.dims[d].begin()))
      return false;
  return std::includes(to.unreduced.begin(), to.unreduced.end(), from.unreduced.begin(), from.unreduced.end());
}

TEST(Invariance, AChangeOfShardingIsFreeIfAndOnlyIfItMovesNothing) {
  check_property(300, [] {
    StatementCase c = *any_sized_reshard();
    for (const MeshAxis& axis : c.mesh.axes())
      if (axis.size == 1) return;  // cuts nothing
    auto& [from, to] = std::get<Reshard>(c.statement);
    from.open = to.open = false;
    Sharding target = to.sharding;  // in the dimension order of `from`
    for (std::size_t d = 0; d < from.dims.size(); ++d)
      for (std::size_t e = 0; e < to.dims.size(); ++e)
        if (to.dims[e].index == from.dims[d].index) target.dims[d] = to.sharding.dims[e];
    RC_ASSERT((planned(c).seconds_sequential == 0) == refines(from.sharding, target));
  });
}

TEST(Invariance, ADetourIsNoFasterThanThePlan) {
  check_property(200, [] {
    StatementCase c = *any_sized_reshard();
    auto& [from, to] = std::get<Reshard>(c.statement);
    from.open = to.open = false;
    ArrayType between = to;  // everything gathered, nothing reduced
    between.sharding = Sharding::replicated(to.num_dims());
    between.sharding.unreduced = to.sharding.unreduced;
    const double first = planned({c.mesh, Reshard{from, between}}).seconds_sequential;
    const double second = planned({c.mesh, Reshard{between, to}}).seconds_sequential;
    RC_ASSERT(planned(c).seconds_sequential <= (first + second) * (1 + 1e-9));
  });
}

TEST(Invariance, AProductIsNoSlowerThanGatheringEverything) {
  check_property(100, [] {
    const StatementCase c = *any_sized_product();
    const auto& product = std::get<Product>(c.statement);
    const auto where_it_lies = [](ArrayType array) {
      array.open = false;
      return array;
    };
    const auto whole = [](ArrayType array) {
      array.sharding = Sharding::replicated(array.num_dims());
      array.open = false;
      return array;
    };
    const auto seconds = [&](const Statement& part) { return planned({c.mesh, part}).seconds_sequential; };
    const double gathering = seconds(Reshard{where_it_lies(product.a), whole(product.a)}) +
                             seconds(Reshard{where_it_lies(product.b), whole(product.b)}) +
                             seconds(Product{whole(product.a), whole(product.b), whole(product.c)});
    const double scattering = seconds(Reshard{whole(product.c), where_it_lies(product.c)});
    RC_ASSERT(planned(c).seconds_sequential <= (gathering + scattering) * (1 + 1e-9));
  });
}

}  // namespace
}  // namespace meshmul
