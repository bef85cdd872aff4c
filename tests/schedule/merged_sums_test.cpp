#include "schedule/merged_sums.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "schedule/merged_lines.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kOpening =
    "meshmul schedule 1\nmesh X=3\nrequires get addressable strided\n"
    "buffer A f32 [8] symmetric\nbuffer C f32 [8] symmetric\nbuffer H bf16 [8] symmetric\n"
    "buffer M f32 [4, 4] symmetric\nbuffer N f32 [4, 4] symmetric\nsignal s\nrank 1\nlane compute\n";

// What the ops of rank 1 become: the first op, and the regions as rank, buffer, box.
std::vector<std::string> merged(const std::string& ops) {
  return testing::merged_lines(kOpening + ops, merged_sums, [](const MergedSum& sum, const auto& text) {
    std::string line = fmt::format("{} {} =", sum.first_op, text(sum.dst));
    for (const Region& term : sum.terms) line += " " + text(term);
    return line;
  });
}

TEST(MergedSums, ACopyAndTheReductionsBehindItAreOne) {
  EXPECT_THAT(merged("wait s >= 1\ncopy C[0:4] A[0:4]\nreduce C[0:4] A@2[0:4]\nreduce C[0:4] A@0[4:8]\n"
                     "copy C[4:8] A[4:8]\nreduce C[4:8] A@0[4:8]\n"),
              ElementsAre("1 C@1[0:4] = A@1[0:4] A@2[0:4] A@0[4:8]", "4 C@1[4:8] = A@1[4:8] A@0[4:8]"));
}

TEST(MergedSums, TheLastMayRaiseASignalAndNoneBeforeIt) {
  EXPECT_THAT(merged("copy C[0:4] A[0:4]\nreduce C[0:4] A@2[0:4] arrived s\nreduce C[0:4] A@0[0:4]\n"),
              ElementsAre("0 C@1[0:4] = A@1[0:4] A@2[0:4]"));
  EXPECT_THAT(merged("copy C[0:4] A[0:4] arrived s\nreduce C[0:4] A@2[0:4]\n"), IsEmpty());
}

TEST(MergedSums, NothingStandsBetween) {
  EXPECT_THAT(merged("copy C[0:4] A[0:4]\nwait s >= 1\nreduce C[0:4] A@2[0:4]\n"), IsEmpty());
  EXPECT_THAT(merged("copy C[0:4] A[0:4]\nsignal 0 s\nreduce C[0:4] A@2[0:4]\n"), IsEmpty());
}

TEST(MergedSums, OtherPlacesAndCopiesAloneStayAsTheyAre) {
  EXPECT_THAT(merged("copy C[0:4] A[0:4]\nreduce C[4:8] A@2[0:4]\n"), IsEmpty());
  EXPECT_THAT(merged("copy C[0:4] A[0:4]\ncopy C[4:8] A@0[4:8]\n"), IsEmpty());
  EXPECT_THAT(merged("reduce C[0:4] A[0:4]\nreduce C[0:4] A@2[0:4]\n"), IsEmpty());
}

TEST(MergedSums, AnotherDtypeOrOrderOfDimensionsEndsASum) {
  EXPECT_THAT(merged("copy C[0:4] H[0:4]\nreduce C[0:4] H@2[0:4]\n"), IsEmpty());
  EXPECT_THAT(merged("copy C[0:4] A[0:4]\nreduce C[0:4] A@2[0:4]\nreduce C[0:4] H@0[0:4]\n"),
              ElementsAre("0 C@1[0:4] = A@1[0:4] A@2[0:4]"));
  EXPECT_THAT(merged("copy M[0:4, 0:4] N[0:4, 0:4] permute 1 0\nreduce M[0:4, 0:4] N@2[0:4, 0:4]\n"), IsEmpty());
}

}  // namespace
}  // namespace meshmul
