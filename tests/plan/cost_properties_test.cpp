// What must hold between the costs of related statements, by every model on every network.
#include <algorithm>
#include <iterator>

#include "meshmul/way.hpp"
#include "notation/random_statement.hpp"
#include "plan/random_machine.hpp"
#include "properties/check_property.hpp"

namespace meshmul {
namespace {

using testing::any_machine;
using testing::any_sized_product;
using testing::any_sized_reshard;
using testing::any_sized_statement;
using testing::check_property;
using testing::PricedMachine;
using testing::StatementCase;

constexpr double kRoundings = 1e-9;

double seconds(const Statement& statement, const Mesh& mesh, const PricedMachine& machine) {
  return plan(statement, mesh, machine.hardware, machine.options).seconds_sequential;
}

std::vector<ArrayType*> arrays(Statement& statement) {
  std::vector<ArrayType*> all = inputs(statement);
  all.push_back(&output(statement));
  return all;
}

/// A change of sharding without `?`.
StatementCase closed_reshard() {
  StatementCase c = *any_sized_reshard();
  auto& [from, to] = std::get<Reshard>(c.statement);
  from.open = to.open = false;
  return c;
}

Collective collective(CollectiveKind kind, const std::vector<int>& axes, std::optional<int> dim,
                      const ArrayType& from) {
  return {kind, axes, dim, from, notation::collective_result(kind, axes, dim, from)};
}

TEST(CostProperties, AnAllReduceTakesNoLongerThanAReduceScatterAndAnAllGather) {
  check_property(500, [] {
    const PricedMachine machine = *any_machine();
    const StatementCase c = closed_reshard();
    const ArrayType& partial = std::get<Reshard>(c.statement).from;
    const std::vector<int>& axes = partial.sharding.unreduced;
    if (axes.empty() || partial.dims.empty()) return;
    const int dim = *rc::gen::inRange(0, partial.num_dims());
    const Collective scatter = collective(CollectiveKind::kReduceScatter, axes, dim, partial);
    const Collective gather = collective(CollectiveKind::kAllGather, axes, {}, scatter.to);
    const Collective all_reduce = collective(CollectiveKind::kAllReduce, axes, {}, partial);
    const double both =
        price_way({{scatter, gather}}, c.mesh, machine.hardware, machine.options).seconds_sequential * (1 + kRoundings);
    RC_ASSERT(seconds(Reshard{partial, all_reduce.to}, c.mesh, machine) <= both);
    // A measured AllReduce takes what was measured; the plan may do the two instead.
    if (!machine.is_measured()) RC_ASSERT(seconds(all_reduce, c.mesh, machine) <= both);
  });
}

TEST(CostProperties, NoWayByAnyOtherShardingIsShorter) {
  check_property(1000, [] {
    const PricedMachine machine = *any_machine();
    const StatementCase c = closed_reshard();
    const auto& [from, to] = std::get<Reshard>(c.statement);
    // Another sharding of the same array.
    ArrayType between = to;
    between.sharding = Sharding::replicated(to.num_dims());
    for (int axis = 0; axis < c.mesh.num_axes(); ++axis) {
      const int place = *rc::gen::inRange(-2, to.num_dims());
      if (place == -2) between.sharding.unreduced.push_back(axis);
      if (place >= 0) between.sharding.dims[static_cast<std::size_t>(place)].push_back(axis);
    }
    const double detour =
        seconds(Reshard{from, between}, c.mesh, machine) + seconds(Reshard{between, to}, c.mesh, machine);
    RC_ASSERT(seconds(c.statement, c.mesh, machine) <= detour * (1 + kRoundings));
  });
}

TEST(CostProperties, ALargerIndexIsNeverCheaper) {
  check_property(500, [] {
    const PricedMachine machine = *any_machine();
    const StatementCase c = *any_sized_statement();
    StatementCase larger = c;
    const std::vector<Dim>& dims = inputs(c.statement)[0]->dims;
    if (dims.empty()) return;
    const std::string index = dims[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(dims.size())))].index;
    const int more = *rc::gen::inRange(1, 20);
    for (ArrayType* array : arrays(larger.statement))
      for (Dim& dim : array->dims)
        if (dim.index == index) dim.size += more;
    RC_ASSERT(seconds(c.statement, c.mesh, machine) <= seconds(larger.statement, c.mesh, machine));
  });
}

/// `statement` with inputs of `dtype`.
Statement with_dtype(Statement statement, Dtype dtype) {
  for (ArrayType* input : inputs(statement)) input->dtype = dtype;
  output(statement).dtype = std::holds_alternative<Product>(statement) ? product_dtype(dtype) : dtype;
  return statement;
}

TEST(CostProperties, AWiderDtypeIsNeverCheaper) {
  check_property(300, [] {
    const PricedMachine machine = *any_machine();
    const StatementCase c = *any_sized_statement();
    const auto in = [&](Dtype dtype) { return seconds(with_dtype(c.statement, dtype), c.mesh, machine); };
    RC_ASSERT(in(Dtype::kF8e4m3) <= in(Dtype::kBf16));
    RC_ASSERT(in(Dtype::kBf16) <= in(Dtype::kF32));
    RC_ASSERT(in(Dtype::kF32) <= in(Dtype::kF64));
    RC_ASSERT(in(Dtype::kI8) <= in(Dtype::kI32));
  });
}

TEST(CostProperties, AProductOfI8CanBeDearerThanOneOfBf16SinceItGivesI32) {
  const Mesh mesh{{"X", 4}};
  const Statement outer = parse_statement("i8 A[I=40_X] * B[K=40] -> C[I, K]", mesh);
  const PricedMachine machine{testing::toy_hardware(), {}};
  EXPECT_GT(seconds(outer, mesh, machine), seconds(with_dtype(outer, Dtype::kBf16), mesh, machine));
}

/// Nothing has to move: every device finds what it wants in what it has.
bool refines(const Sharding& from, const Sharding& to) {
  for (std::size_t d = 0; d < from.dims.size(); ++d)
    if (to.dims[d].size() < from.dims[d].size() ||
        !std::equal(from.dims[d].begin(), from.dims[d].end(), to.dims[d].begin()))
      return false;
  return std::includes(to.unreduced.begin(), to.unreduced.end(), from.unreduced.begin(), from.unreduced.end());
}

TEST(CostProperties, AChangeOfShardingIsFreeIfAndOnlyIfItMovesNothing) {
  check_property(900, [] {
    const PricedMachine machine = *any_machine();
    const StatementCase c = closed_reshard();
    for (const MeshAxis& axis : c.mesh.axes())
      if (axis.size == 1) return;  // cuts nothing
    const auto& [from, to] = std::get<Reshard>(c.statement);
    // Without elements there are hops alone, which are free where they are in a measured bandwidth.
    const auto is_empty = [](const Dim& dim) { return dim.size == 0; };
    if (machine.is_measured() && std::any_of(from.dims.begin(), from.dims.end(), is_empty)) return;
    Sharding target = to.sharding;  // in the dimension order of `from`
    for (std::size_t d = 0; d < from.dims.size(); ++d)
      for (std::size_t e = 0; e < to.dims.size(); ++e)
        if (to.dims[e].index == from.dims[d].index) target.dims[d] = to.sharding.dims[e];
    RC_ASSERT((seconds(c.statement, c.mesh, machine) == 0) == refines(from.sharding, target));
  });
}

TEST(CostProperties, AProductIsNoSlowerThanGatheringEverything) {
  check_property(200, [] {
    const PricedMachine machine = *any_machine();
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
    const auto of = [&](const Statement& part) { return seconds(part, c.mesh, machine); };
    const double gathering = of(Reshard{where_it_lies(product.a), whole(product.a)}) +
                             of(Reshard{where_it_lies(product.b), whole(product.b)}) +
                             of(Product{whole(product.a), whole(product.b), whole(product.c)});
    const double scattering = of(Reshard{whole(product.c), where_it_lies(product.c)});
    RC_ASSERT(of(c.statement) <= (gathering + scattering) * (1 + kRoundings));
  });
}

}  // namespace
}  // namespace meshmul
