// What a collective returns, against the blocks that the devices hold before and after.

#include "notation/collective_type.hpp"

#include <cstdint>

#include "meshmul/layout.hpp"
#include "notation/random_statement.hpp"
#include "properties/check_property.hpp"

namespace meshmul {
namespace {

using testing::any_collective;
using testing::check_property;
using testing::StatementCase;

std::int64_t elements(const ArrayType& type, const Mesh& mesh, const std::vector<int>& devices) {
  std::int64_t sum = 0;
  for (const int device : devices) sum += local_box(type, mesh, device).num_elements();
  return sum;
}

/// True if `whole` of every device is made of the disjoint `part`s of the devices along `axes`.
bool parts_make_whole(const ArrayType& whole, const ArrayType& part, const Mesh& mesh, const std::vector<int>& axes) {
  for (int device = 0; device < mesh.num_devices(); ++device) {
    const Box box = local_box(whole, mesh, device);
    const std::vector<int> group = mesh.group(device, axes);
    for (const int member : group)
      if (!box.contains(local_box(part, mesh, member))) return false;
    if (elements(part, mesh, group) != box.num_elements()) return false;
  }
  return true;
}

/// Devices along `axes` hold as many elements of `from` as of `to`.
bool exchanges_within_groups(const ArrayType& from, const ArrayType& to, const Mesh& mesh,
                             const std::vector<int>& axes) {
  for (int device = 0; device < mesh.num_devices(); ++device) {
    const std::vector<int> group = mesh.group(device, axes);
    if (elements(from, mesh, group) != elements(to, mesh, group)) return false;
  }
  return true;
}

bool blocks_fit(const Collective& c, const Mesh& mesh) {
  switch (c.kind) {
    case CollectiveKind::kAllGather: return parts_make_whole(c.to, c.from, mesh, c.axes);
    case CollectiveKind::kReduceScatter: return parts_make_whole(c.from, c.to, mesh, c.axes);
    case CollectiveKind::kAllReduce: return c.from.sharding.dims == c.to.sharding.dims;
    case CollectiveKind::kAllToAll: return exchanges_within_groups(c.from, c.to, mesh, c.axes);
  }
  return false;
}

ArrayType result(const char* text, const Mesh& mesh) { return output(parse_statement(text, mesh)); }

TEST(CollectiveType, ReturnsWhatTheNotationSays) {
  const Mesh mesh{{"X", 4}, {"Y", 2}};
  const auto array = [&](const char* text) { return parse_array(text, mesh); };
  EXPECT_EQ(result("AllGather_X(A[I_YX, J])", mesh), array("A[I_Y, J]"));
  EXPECT_EQ(result("AllGather_XY(A[I_X, J_Y])", mesh), array("A[I, J]"));
  EXPECT_EQ(result("AllGather_X(A[I_X, J]{U_Y})", mesh), array("A[I, J]{U_Y}"));
  EXPECT_EQ(result("ReduceScatter_YX,K(A[I, K]{U_XY})", mesh), array("A[I, K_YX]"));
  EXPECT_EQ(result("ReduceScatter_X,K(A[I, K_Y]{U_X})", mesh), array("A[I, K_YX]"));
  EXPECT_EQ(result("AllReduce_X(A[I, K]{U_XY})", mesh), array("A[I, K]{U_Y}"));
  EXPECT_EQ(result("AllToAll_X,J(A[I_X, J])", mesh), array("A[I, J_X]"));
  EXPECT_EQ(result("AllToAll_YX,K(A[I_X, J_Y, K])", mesh), array("A[I, J, K_YX]"));
}

TEST(CollectiveType, BlocksBeforeAndAfterFitTogether) {
  check_property(500, [] {
    const StatementCase c = *any_collective();
    const auto* collective = std::get_if<Collective>(&c.statement);
    if (collective == nullptr) return;
    RC_ASSERT(!notation::collective_fault(*collective, c.mesh));
    RC_ASSERT(blocks_fit(*collective, c.mesh));
  });
}

TEST(CollectiveType, IsFoundFromItsTwoSides) {
  check_property(500, [] {
    const StatementCase c = *any_collective();
    const auto* collective = std::get_if<Collective>(&c.statement);
    if (collective == nullptr) return;
    const auto found = notation::find_collective(collective->from, collective->to, c.mesh);
    RC_ASSERT(found.has_value());
    RC_ASSERT(found->kind == collective->kind);
    RC_ASSERT(found->dim == collective->dim);
    RC_ASSERT(found->to == collective->to);
  });
}

TEST(CollectiveType, IsNotFoundWhereNoneLeads) {
  const Mesh mesh{{"X", 2}, {"Y", 2}};
  const auto found = [&](const char* from, const char* to) {
    return notation::find_collective(parse_array(from, mesh), parse_array(to, mesh), mesh).has_value();
  };
  EXPECT_TRUE(found("A[I_X, J]", "A[I, J_X]"));
  EXPECT_FALSE(found("A[I, J]", "A[I, J]"));
  EXPECT_FALSE(found("A[I, J]", "A[I_X, J]"));
  EXPECT_FALSE(found("A[I, J]", "A[I, J]{U_X}"));
  EXPECT_FALSE(found("A[I_XY, J]", "A[I_Y, J]"));
  EXPECT_FALSE(found("A[I, J]{U_XY}", "A[I_X, J_Y]"));
  EXPECT_FALSE(found("A[I_Y, J]{U_X}", "A[I, J]"));
  EXPECT_FALSE(found("A[I_X, J]", "A[J, I]"));
}

TEST(CollectiveType, AxesThatAreNotMinorDoNotFit) {
  const Mesh mesh{{"X", 2}, {"Y", 2}};
  const ArrayType from = parse_array("A[I=8_XY]", mesh);
  const auto fits = [&](std::vector<int> axes) {
    const Collective gather{CollectiveKind::kAllGather, std::move(axes), std::nullopt, from, {}};
    return !notation::collective_fault(gather, mesh);
  };
  EXPECT_FALSE(fits({0}));
  EXPECT_TRUE(fits({1}));
  EXPECT_TRUE(fits({0, 1}));
  // And rightly so: the blocks of the result are not made of those of the devices along X.
  const ArrayType to = notation::collective_result(CollectiveKind::kAllGather, {0}, std::nullopt, from);
  EXPECT_FALSE(parts_make_whole(to, from, mesh, {0}));
}

}  // namespace
}  // namespace meshmul
