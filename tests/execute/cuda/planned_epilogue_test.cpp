// Which ops behind a product its kernel does: what may be left unwritten, what has to come before it, and what may not
// be moved.

#include "execute/cuda/planned_epilogue.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"

namespace meshmul::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Found {
  Schedule schedule;
  LaneEpilogues epilogues;

  /// The steps of a product as text: its terms ahead in brackets.
  std::string steps(int op) const {
    std::string text;
    const PlannedEpilogue& epilogue = epilogues.of_product.at(op);
    for (std::size_t i = 0; i < epilogue.steps.size(); ++i) {
      const PlannedStep& step = epilogue.steps[i];
      std::string one(name(step.function));
      if (step.operand) one += " " + to_string(schedule, 0, *step.operand);
      if (step.rounded_to != Dtype::kF32) one += fmt::format(" of {}", name(step.rounded_to));
      text += static_cast<int>(i) < epilogue.num_terms_ahead ? fmt::format("[{}] ", one) : one + "; ";
    }
    return text + "-> " + to_string(schedule, 0, epilogue.result);
  }
};

/// Of the first lane of rank 0.
Found find(const std::string& lanes, const CanEnd& can_end = [](const Gemm&, const PlannedEpilogue&) { return true; }) {
  Found found;
  found.schedule = parse_schedule(fmt::format(R"(meshmul schedule 1
mesh X=2
requires addressable get strided barrier
buffer a bf16 [8, 8] symmetric
buffer b bf16 [8, 8] symmetric
buffer h bf16 [8, 8] private
buffer g bf16 [8, 8] private
buffer k bf16 [8, 8] private
buffer w bf16 [9, 8] private
buffer s f32 [8, 8] private
buffer v bf16 [8] symmetric
buffer t bf16 [8, 8] symmetric
buffer u bf16 [8, 8] symmetric
buffer c bf16 [8, 8] symmetric
signal come
signal go
signal go2
signal there
rank 0
{}rank 1
  lane compute
    gemm t@0[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij arrived come
)",
                                              lanes));
  const LaneAccesses accesses(found.schedule);
  found.epilogues = plan_epilogues(
      found.schedule, 0, 0, OtherLanes(accesses, 0, 0), [](const Gemm&) { return std::optional(0); }, can_end);
  return found;
}

TEST(PlannedEpilogue, TakesAFunctionInPlace) {
  const Found found = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map h[0:8, 0:8] gelu h[0:8, 0:8]
    gemm c[0:8, 0:8] h[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
)");
  EXPECT_THAT(found.epilogues.absorbed, ElementsAre(1));
  EXPECT_EQ(found.steps(0), "gelu of bf16; -> h[0:8, 0:8]");
}

TEST(PlannedEpilogue, TakesAMapAheadOfWaitsForEachProductThatMadeItsSource) {
  const Found found = find(R"(  lane compute
    gemm h[0:4, 0:8] a[0:4, 0:8] b[0:8, 0:8] ik,kj->ij
    wait come >= 1
    gemm h[4:8, 0:8] t[4:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map h[0:8, 0:8] bias h[0:8, 0:8] v[0:8] along 1
)");
  EXPECT_THAT(found.epilogues.absorbed, ElementsAre(3));
  EXPECT_EQ(found.steps(0), "bias v[0:8] of bf16; -> h[0:4, 0:8]");
  EXPECT_EQ(found.steps(2), "bias v[0:8] of bf16; -> h[4:8, 0:8]");
  EXPECT_THAT(found.epilogues.of_product.at(0).waits, IsEmpty());
}

TEST(PlannedEpilogue, AddsTermsOfOthersInTheirOrderBehindTheirWaits) {
  const Found found = find(R"(  lane compute
    copy s[0:8, 0:8] u[0:8, 0:8]
    gemm s[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
    wait come >= 1
    reduce s[0:8, 0:8] t[0:8, 0:8]
    copy c[0:8, 0:8] s[0:8, 0:8]
)");
  EXPECT_THAT(found.epilogues.absorbed, ElementsAre(0, 3, 4));
  EXPECT_EQ(found.steps(1), "[add u[0:8, 0:8]] add t[0:8, 0:8]; -> c[0:8, 0:8]");
  EXPECT_THAT(found.epilogues.of_product.at(1).waits, ElementsAre(2));
}

TEST(PlannedEpilogue, AddsAProductToWhatCameFromANeighbour) {
  const Found found = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    wait come >= 1
    reduce t[0:8, 0:8] h[0:8, 0:8] arrived go
)");
  EXPECT_THAT(found.epilogues.absorbed, ElementsAre(2));
  EXPECT_EQ(found.steps(0), "add t[0:8, 0:8] of bf16; -> t[0:8, 0:8]");
  ASSERT_TRUE(found.epilogues.of_product.at(0).raise);
}

TEST(PlannedEpilogue, LeavesWhatSomebodyReadsBeforeOrAfterwards) {
  const char* const kLanes[] = {
      // Another product reads what is mapped, and what was.
      R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm c[0:8, 0:8] h[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map h[0:8, 0:8] gelu h[0:8, 0:8]
)",
      R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map u[0:8, 0:8] gelu h[0:8, 0:8]
    gemm c[0:8, 0:8] h[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
)",
      // Another lane reads it.
      R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    copy c[0:8, 0:8] h[0:8, 0:8]
    signal 0 go
  lane copy0
    wait go >= 1
    copy u[0:8, 0:8] h[0:8, 0:8]
)",
      // Only a part of the source is a product.
      R"(  lane compute
    copy h[4:8, 0:8] t[4:8, 0:8]
    gemm h[0:4, 0:8] a[0:4, 0:8] b[0:8, 0:8] ik,kj->ij
    map h[0:8, 0:8] gelu h[0:8, 0:8]
)",
      // It would be written while other tiles still read it.
      R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    copy a[0:8, 0:8] h[0:8, 0:8]
)",
      // What the term waits for may wait for the second product.
      R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij arrived go
    wait come >= 1
    reduce t[0:8, 0:8] h[0:8, 0:8]
)",
      // The signal says that the product lies there.
      R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij arrived go
    map h[0:8, 0:8] gelu h[0:8, 0:8]
)",
  };
  for (const char* lanes : kLanes) EXPECT_THAT(find(lanes).epilogues.absorbed, IsEmpty()) << lanes;
}

// Ops that another product does as its epilogue are done there, not where they stand.

TEST(PlannedEpilogue, DoesNotReadWhatAnotherEpilogueWritesLater) {
  // k is made by the epilogue of the second product; the first one must not read it. The second may multiply it by h,
  // once the first has written that.
  const Found found = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm g[0:8, 0:8] t[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map k[0:8, 0:8] silu g[0:8, 0:8]
    map h[0:8, 0:8] mul k[0:8, 0:8] h[0:8, 0:8]
)");
  EXPECT_FALSE(found.epilogues.of_product.contains(0));
  EXPECT_EQ(found.steps(1), "silu of bf16; mul h[0:8, 0:8] of bf16; -> h[0:8, 0:8]");
}

TEST(PlannedEpilogue, WritesWhatAnotherEpilogueReads) {
  // The second product multiplies by h as the first one made it: that has to be written, and not to be changed before.
  const Found kept = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm g[0:8, 0:8] t[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map g[0:8, 0:8] mul g[0:8, 0:8] h[0:8, 0:8]
    map k[0:8, 0:8] gelu h[0:8, 0:8]
)");
  EXPECT_THAT(kept.epilogues.absorbed, ElementsAre(2));
  const Found in_place = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm g[0:8, 0:8] t[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map g[0:8, 0:8] mul g[0:8, 0:8] h[0:8, 0:8]
    map h[0:8, 0:8] gelu h[0:8, 0:8]
)");
  EXPECT_THAT(in_place.epilogues.absorbed, ElementsAre(2));
}

TEST(PlannedEpilogue, DoesNotOverwriteWhatAnotherEpilogueReads) {
  const Found found = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm g[0:8, 0:8] t[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map g[0:8, 0:8] mul g[0:8, 0:8] u[0:8, 0:8]
    copy u[0:8, 0:8] h[0:8, 0:8]
)");
  EXPECT_THAT(found.epilogues.absorbed, ElementsAre(2));
}

TEST(PlannedEpilogue, DoesNotReadWhatItDoesNotWrite) {
  // Both sources are the product, which is nowhere but in the sums.
  EXPECT_THAT(find(R"(  lane compute
    gemm g[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map h[0:8, 0:8] mul g[0:8, 0:8] g[0:8, 0:8]
)")
                  .epilogues.absorbed,
              IsEmpty());
  EXPECT_THAT(find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map h[0:8, 0:8] add h[0:8, 0:8] h[0:8, 0:8]
)")
                  .epilogues.absorbed,
              IsEmpty());
}

TEST(PlannedEpilogue, DoesNotDoTheSameOpInTwoProducts) {
  // The copy is a term ahead of the second product, so g has to be written by the first one.
  const Found found = find(R"(  lane compute
    gemm g[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    copy s[0:8, 0:8] g[0:8, 0:8]
    gemm s[0:8, 0:8] t[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
)");
  EXPECT_THAT(found.epilogues.absorbed, ElementsAre(1));
  EXPECT_FALSE(found.epilogues.of_product.contains(0) && found.epilogues.of_product.contains(2));
}

TEST(PlannedEpilogue, WaitsForWhatAnotherLaneWritesIntoPrivateMemory) {
  const Found found = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    wait come >= 1
    map h[0:8, 0:8] add h[0:8, 0:8] k[0:8, 0:8]
  lane copy0
    get k[0:8, 0:8] u@1[0:8, 0:8] arrived come
)");
  ASSERT_THAT(found.epilogues.absorbed, ElementsAre(2));
  EXPECT_THAT(found.epilogues.of_product.at(0).waits, ElementsAre(1));
}

TEST(PlannedEpilogue, WaitsUntilAnotherLaneHasReadPrivateMemory) {
  // A buffer from which another lane sends, used twice.
  const Found found = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    copy k[0:8, 0:8] h[0:8, 0:8] arrived go
    gemm g[0:8, 0:8] t[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    wait come >= 1
    copy k[0:8, 0:8] g[0:8, 0:8] arrived go2
  lane copy0
    wait go >= 1
    put u@1[0:8, 0:8] k[0:8, 0:8] arrived there sent come
    wait go2 >= 1
    put c@1[0:8, 0:8] k[0:8, 0:8] arrived there sent come
)");
  for (const auto& [op, epilogue] : found.epilogues.of_product) {
    if (op == 2) {
      EXPECT_THAT(epilogue.waits, ElementsAre(3));
    }
  }
  // The same without a signal of its own: what was read is a map's result.
  const Found mapped = find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    copy k[0:8, 0:8] h[0:8, 0:8] arrived go
    gemm g[0:8, 0:8] t[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    wait come >= 1
    map k[0:8, 0:8] gelu g[0:8, 0:8]
    signal 0 go2
  lane copy0
    wait go >= 1
    put u@1[0:8, 0:8] k[0:8, 0:8] arrived there sent come
    wait go2 >= 1
    put c@1[0:8, 0:8] k[0:8, 0:8] arrived there sent come
)");
  if (mapped.epilogues.of_product.contains(2)) {
    EXPECT_THAT(mapped.epilogues.of_product.at(2).waits, ElementsAre(3));
  }
}

TEST(PlannedEpilogue, LeavesAFunctionInPlaceOfWhatOthersReadBeforeIt) {
  // Another lane is told of the product, reads it, and says when it has done so.
  EXPECT_THAT(find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    signal 0 go
    wait come >= 1
    map h[0:8, 0:8] gelu h[0:8, 0:8]
  lane copy0
    wait go >= 1
    copy c[0:8, 0:8] h[0:8, 0:8] arrived come
)")
                  .epilogues.absorbed,
              IsEmpty());
}

TEST(PlannedEpilogue, DoesNotWriteOverAnOperandOfAnEarlierStepShifted) {
  // Tiles that are finished later would read what others have written already.
  EXPECT_THAT(find(R"(  lane compute
    gemm h[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    map h[0:8, 0:8] add h[0:8, 0:8] w[0:8, 0:8]
    copy w[1:9, 0:8] h[0:8, 0:8]
)")
                  .epilogues.absorbed,
              ElementsAre(1));
  EXPECT_THAT(find(R"(  lane compute
    copy s[0:8, 0:8] w[0:8, 0:8]
    gemm s[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
    copy w[1:9, 0:8] s[0:8, 0:8]
)")
                  .epilogues.absorbed,
              ElementsAre(0));
}

TEST(PlannedEpilogue, LeavesWhatTheKernelCannotEnd) {
  EXPECT_THAT(find(R"(  lane compute
    copy s[0:8, 0:8] u[0:8, 0:8]
    gemm s[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
    copy c[0:8, 0:8] s[0:8, 0:8]
)",
                   [](const Gemm&, const PlannedEpilogue&) { return false; })
                  .epilogues.absorbed,
              IsEmpty());
}

}  // namespace
}  // namespace meshmul::cuda
