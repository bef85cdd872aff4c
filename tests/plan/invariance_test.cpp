// What must not change a plan, by every model on every network.
#include <algorithm>
#include <numeric>

#include "meshmul/plan.hpp"
#include "notation/random_statement.hpp"
#include "plan/random_machine.hpp"
#include "plan/report/step_text.hpp"
#include "properties/check_property.hpp"

namespace meshmul {
namespace {

using testing::any_machine;
using testing::any_sized_statement;
using testing::check_property;
using testing::PricedMachine;
using testing::StatementCase;

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

Plan planned(const StatementCase& c, const PricedMachine& machine) {
  return plan(c.statement, c.mesh, machine.hardware, machine.options);
}

std::vector<std::string> labels(const Plan& plan) {
  std::vector<std::string> all;
  for (const Step& step : plan.steps) all.push_back(step_label(step, plan.mesh));
  return all;
}

TEST(Invariance, OtherNamesAndAnotherOrderOfMeshAxesChangeNoCost) {
  check_property(300, [] {
    PricedMachine machine = *any_machine();
    const StatementCase c = *any_sized_statement();
    if (machine.hardware.network.kind == NetworkKind::kTorus && *rc::gen::arbitrary<bool>())
      for (const MeshAxis& axis : c.mesh.axes()) machine.hardware.slice.push_back(axis.size);
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
    const Plan a = planned(c, machine);
    const Plan b = planned(other, machine);
    RC_ASSERT(about_equal(a.seconds_sequential, b.seconds_sequential));
    RC_ASSERT(a.peak_bytes == b.peak_bytes);
  });
}

TEST(Invariance, AnAxisOfSize1ChangesNothing) {
  check_property(300, [] {
    const PricedMachine machine = *any_machine();
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
    const Plan a = planned(c, machine);
    const Plan b = planned(wider, machine);
    RC_ASSERT(labels(a) == labels(b));
    RC_ASSERT(a.seconds_sequential == b.seconds_sequential);
    RC_ASSERT(a.peak_bytes == b.peak_bytes);
  });
}

}  // namespace
}  // namespace meshmul
