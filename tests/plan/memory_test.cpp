#include "plan/memory.hpp"

#include <gtest/gtest.h>

#include "meshmul/error.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/pareto.hpp"
#include "notation/random_statement.hpp"
#include "plan/toy_hardware.hpp"
#include "properties/check_property.hpp"

namespace meshmul {
namespace {

using testing::any_sized_statement;
using testing::check_property;
using testing::toy_hardware;

std::int64_t planned_bytes(const std::string& statement, const Mesh& mesh) {
  return plan(parse_statement(statement, mesh), mesh, toy_hardware()).peak_bytes;
}

TEST(Memory, InputsAndWhatEachStepMakes) {
  const Mesh mesh{{"X", 4}};
  EXPECT_EQ(planned_bytes("f32 A[I=8_X, J=3] * B[J, K=5] -> C[I_X, K]", mesh), 4 * (2 * 3 + 3 * 5 + 2 * 5));
  EXPECT_EQ(planned_bytes("AllGather_X(f32 A[I=8_X, J=3])", mesh), 4 * (2 * 3 + 8 * 3));
}

TEST(Memory, ASliceIsPartOfTheArrayUnlessItMakesTheOutput) {
  const Mesh mesh{{"X", 4}};
  EXPECT_EQ(planned_bytes("f32 A[I=8] -> A[I_X]", mesh), 4 * (8 + 2));
  // B is sliced for free, the partial C reduced.
  EXPECT_EQ(planned_bytes("f32 A[I=8, J=400_X] * B[J, K=8] -> C[I_X, K]", mesh),
            4 * (8 * 100 + 400 * 8 + 8 * 8 + 2 * 8));
}

TEST(Memory, ReductionsOfMoreThanTwoTermsIntoANarrowDtypeAddInAWideOne) {
  const double shape[] = {6, 10};
  const auto scratch = [&](MoveKind kind, double num_terms, Dtype from, Dtype to) {
    return scratch_bytes(kind, num_terms, from, to, shape);
  };
  EXPECT_EQ(scratch(MoveKind::kReduceScatter, 4, Dtype::kBf16, Dtype::kBf16), 4 * 60);
  EXPECT_EQ(scratch(MoveKind::kReduceScatter, 2, Dtype::kBf16, Dtype::kBf16), 0);
  EXPECT_EQ(scratch(MoveKind::kReduceScatter, 2, Dtype::kF32, Dtype::kBf16), 4 * 60);
  EXPECT_EQ(scratch(MoveKind::kReduceScatter, 4, Dtype::kF32, Dtype::kF32), 0);
  EXPECT_EQ(scratch(MoveKind::kAllGather, 4, Dtype::kBf16, Dtype::kBf16), 0);
  // An AllReduce shares the work: 4 devices cut the 6 rows, 8 devices the 10 columns, 16 devices the longest.
  EXPECT_EQ(scratch(MoveKind::kAllReduce, 4, Dtype::kBf16, Dtype::kBf16), 4 * 2 * 10);
  EXPECT_EQ(scratch(MoveKind::kAllReduce, 8, Dtype::kBf16, Dtype::kBf16), 4 * 6 * 2);
  EXPECT_EQ(scratch(MoveKind::kAllReduce, 16, Dtype::kBf16, Dtype::kBf16), 4 * 6 * 1);
  EXPECT_EQ(scratch_bytes(MoveKind::kAllReduce, 16, Dtype::kBf16, Dtype::kBf16, {}), 4);
}

TEST(Memory, AReductionThatReordersDimensionsSharesItsWorkAlongTheNewOnes) {
  // Of the result [16, 21] each of 3 devices adds up at most 6 rows; of [21, 16] it would be 7 rows of 16.
  const Mesh mesh{{"X", 2}, {"Y", 3}};
  const Statement statement = parse_statement("i8 A[I=21, J=32_X]{U_Y} -> A[J_X, I]", mesh);
  PlanOptions options;
  const std::int64_t least = 2 * 21 * 16 + 4 * 6 * 21;
  options.memory_bytes = least;
  EXPECT_EQ(plan(statement, mesh, toy_hardware(), options).peak_bytes, least);
  options.memory_bytes = least - 1;
  EXPECT_THROW(plan(statement, mesh, toy_hardware(), options), Error);
}

TEST(Memory, BytesBeyond64BitsAreTheLargestNumber) {
  EXPECT_EQ(whole_bytes(12), 12);
  EXPECT_EQ(whole_bytes(1e30), std::numeric_limits<std::int64_t>::max());
}

TEST(Memory, LoweringTakesWhatThePlanSays) {
  check_property(200, [] {
    const auto c = *any_sized_statement();
    PlanOptions options;
    if (*rc::gen::arbitrary<bool>()) options.wire_dtype = Dtype::kF64;
    const Plan planned = plan(c.statement, c.mesh, toy_hardware(), options);
    RC_ASSERT(bytes_per_rank(lower(planned)) == planned.peak_bytes);
  });
}

/// What rings take besides the arrays of the plan: slots, and sums along one of several axes.
bool is_of_a_ring(const BufferDecl& buffer) {
  const auto has = [&](const char* part) { return buffer.name.find(part) != std::string::npos; };
  return has(".forward") || has(".backward") || has(".sum");
}

TEST(Memory, RingsTakeNoMoreThanThePlanSaysButForTheirSlotsAndSums) {
  check_property(100, [] {
    const auto c = *any_sized_statement();
    const Plan planned = plan(c.statement, c.mesh, toy_hardware());
    for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kRingBothWays}) {
      const Schedule schedule = lower(planned, {algorithm});
      std::int64_t bytes = bytes_per_rank(schedule);
      for (const BufferDecl& buffer : schedule.buffers)
        if (is_of_a_ring(buffer)) bytes -= buffer.num_bytes();
      RC_ASSERT(bytes <= planned.peak_bytes);
    }
  });
}

TEST(Memory, LoweringTakesWhatEveryPlanThatTradesTimeForMemorySays) {
  check_property(100, [] {
    const auto c = *any_sized_statement();
    for (const Plan& planned : pareto_front(c.statement, c.mesh, toy_hardware()))
      RC_ASSERT(bytes_per_rank(lower(planned)) == planned.peak_bytes);
  });
}

}  // namespace
}  // namespace meshmul
