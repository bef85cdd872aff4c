// Which ops become one sum, and which must not.

#include "execute/cuda/sum_chains.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"

namespace meshmul::cuda {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kMostTerms = 4;

bool few_terms(const Region&, const std::vector<Region>& terms) { return terms.size() <= kMostTerms; }

/// The sums of the first lane of rank 1: first and last op, and the regions.
std::vector<std::string> sums_of(const Schedule& schedule, const CanSum& can_sum = few_terms,
                                 const std::set<int>& absorbed = {}) {
  std::vector<std::string> lines;
  const LaneAccesses accesses(schedule);
  for (const SumChain& chain : sum_chains(schedule, 1, 0, OtherLanes(accesses, 1, 0), absorbed, can_sum)) {
    std::string line = fmt::format("{}-{} {} =", chain.first_op, chain.last_op, to_string(schedule, 1, chain.dst));
    for (const Region& term : chain.terms) line += " " + to_string(schedule, 1, term);
    lines.push_back(line);
  }
  return lines;
}
std::vector<std::string> sums(const std::string& ops, const std::string& other_lane = "",
                              const CanSum& can_sum = few_terms, const std::set<int>& absorbed = {}) {
  return sums_of(parse_schedule("meshmul schedule 1\nmesh X=3\nrequires get addressable strided\n"
                                "buffer A bf16 [8] symmetric\nbuffer B bf16 [8] symmetric\n"
                                "buffer C bf16 [8] symmetric\nbuffer D f64 [8] symmetric\nbuffer I i32 [8] symmetric\n"
                                "buffer M bf16 [2, 2] symmetric\nbuffer N f32 [2, 2] private\n"
                                "buffer S f32 [8] private\nbuffer T f32 [8] symmetric\nsignal s\nsignal t\n"
                                "rank 1\nlane compute\n" +
                                ops + (other_lane.empty() ? "" : "lane copy0\n" + other_lane)),
                 can_sum, absorbed);
}

TEST(SumChains, ReadAllTermsAndWriteWhatTheSumIsCopiedTo) {
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[0:4] A@2[0:4]\nreduce S[0:4] T[0:4]\ncopy C[0:4] S[0:4]\n"),
              ElementsAre("0-3 C[0:4] = A[0:4] A@2[0:4] T[0:4]"));
}

TEST(SumChains, LeaveTheSumWhereNobodyCopiesIt) {
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\n"), ElementsAre("0-1 S[0:4] = A[0:4] B[0:4]"));
  EXPECT_THAT(sums("reduce T[0:4] A[0:4]\nreduce T[0:4] B[0:4]\n"), ElementsAre("0-1 T[0:4] = T[0:4] A[0:4] B[0:4]"));
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[4:8] A[0:4]\ncopy C[0:4] A[0:4]\n"), IsEmpty());
}

TEST(SumChains, GoAcrossWaitsAlone) {
  EXPECT_THAT(
      sums("copy S[0:4] A[0:4]\nwait s >= 1\nreduce S[0:4] B[0:4]\nwait t >= 1\ncopy C[0:4] S[0:4]\nwait s >= 2\n"),
      ElementsAre("0-4 C[0:4] = A[0:4] B[0:4]"));
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nsignal 0 s\nreduce S[0:4] B[0:4]\ncopy C[0:4] S[0:4]\n"),
              ElementsAre("2-3 C[0:4] = S[0:4] B[0:4]"));
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\ncopy C[4:8] A[4:8]\nreduce S[0:4] B[0:4]\n"), IsEmpty());
}

TEST(SumChains, EndWhereASignalIsRaised) {
  EXPECT_THAT(
      sums("copy S[0:4] A[0:4]\nreduce S[0:4] B[0:4] arrived s\nreduce S[0:4] B[0:4]\ncopy C[0:4] S[0:4] arrived t\n"),
      ElementsAre("0-1 S[0:4] = A[0:4] B[0:4]", "2-3 C[0:4] = S[0:4] B[0:4]"));
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\ncopy C[0:4] S[0:4] arrived t\nreduce S[0:4] B[0:4]\n"),
              ElementsAre("0-1 S[0:4] = A[0:4] B[0:4]"));
  EXPECT_THAT(sums("copy S[0:4] A[0:4] arrived s\nreduce S[0:4] B[0:4]\n"), IsEmpty());
}

TEST(SumChains, WriteTheSumIfSomebodyElseReadsIt) {
  const std::string ops = "copy S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\ncopy C[0:4] S[0:4]\n";
  const auto whole = ElementsAre("0-2 C[0:4] = A[0:4] B[0:4]"), part = ElementsAre("0-1 S[0:4] = A[0:4] B[0:4]");
  EXPECT_THAT(sums(ops), whole);
  EXPECT_THAT(sums(ops + "copy T[0:4] S[2:6]\n"), part);
  EXPECT_THAT(sums(ops + "copy S[0:2] A[0:2]\ncopy T[0:4] S[0:4]\n"), part) << "half of it is written anew";
  EXPECT_THAT(sums(ops + "copy S[0:8] T[0:8]\ncopy T[0:4] S[0:4]\n"), whole);
  EXPECT_THAT(sums(ops + "copy T[0:4] S[4:8]\n"), whole);
  EXPECT_THAT(sums(ops, "wait s >= 1\ncopy T[0:4] S[3:7]\n"), part);
  EXPECT_THAT(sums(ops, "copy S[4:8] A[0:4]\n"), whole);
}

TEST(SumChains, WriteASumThatTheNextRunReads) {
  EXPECT_THAT(sums("copy T[0:4] S[0:4]\ncopy S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\ncopy C[0:4] S[0:4]\n"),
              ElementsAre("1-2 S[0:4] = A[0:4] B[0:4]"));
  EXPECT_THAT(sums("reduce S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\ncopy C[0:4] S[0:4]\n"),
              ElementsAre("0-1 S[0:4] = S[0:4] A[0:4] B[0:4]"));
  EXPECT_THAT(sums("copy S[0:8] T[0:8]\nsignal 1 t\nreduce S[0:4] A[0:4]\ncopy C[0:4] S[0:4]\n"),
              ElementsAre("2-3 C[0:4] = S[0:4] A[0:4]"));
}

TEST(SumChains, WriteWhatPeersOrTheHostMaySee) {
  EXPECT_THAT(sums("copy T[0:4] A[0:4]\nreduce T[0:4] B[0:4]\ncopy C[0:4] T[0:4]\n"),
              ElementsAre("0-1 T[0:4] = A[0:4] B[0:4]"));
}

TEST(SumChains, OneAfterTheOtherInOnePlace) {
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\ncopy C[0:4] S[0:4]\n"
                   "copy S[0:4] A[4:8]\nreduce S[0:4] B[4:8]\ncopy C[4:8] S[0:4]\n"),
              ElementsAre("0-2 C[0:4] = A[0:4] B[0:4]", "3-5 C[4:8] = A[4:8] B[4:8]"));
}

TEST(SumChains, DoNotWriteOverTheirTerms) {
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[0:4] C[2:6]\ncopy C[0:4] S[0:4]\n"),
              ElementsAre("0-1 S[0:4] = A[0:4] C[2:6]"));
}

TEST(SumChains, KeepTheBits) {
  EXPECT_THAT(sums("copy C[0:4] A[0:4]\nreduce C[0:4] B[0:4]\n"), IsEmpty()) << "partial sums are rounded";
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[0:4] D[0:4]\n"), IsEmpty()) << "added in f64";
  EXPECT_THAT(sums("copy I[0:4] A[0:4]\nreduce I[0:4] I[4:8]\n"), IsEmpty());
  EXPECT_THAT(sums("copy N[0:2, 0:2] M[0:2, 0:2] permute 1 0\nreduce N[0:2, 0:2] M[0:2, 0:2]\n"), IsEmpty());
}

TEST(SumChains, AreCutWhereATaskCanReadNoMore) {
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\nreduce S[0:4] B[4:8]\nreduce S[0:4] A[4:8]\n"
                   "reduce S[0:4] A[0:4]\nreduce S[0:4] A[1:5]\ncopy C[0:4] S[0:4]\n"),
              ElementsAre("0-3 S[0:4] = A[0:4] B[0:4] B[4:8] A[4:8]", "4-6 C[0:4] = S[0:4] A[0:4] A[1:5]"));
  const CanSum none = [](const Region&, const std::vector<Region>&) { return false; };
  EXPECT_THAT(sums("copy S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\n", "", none), IsEmpty());
}

TEST(SumChains, LeaveOutWhatProductsDo) {
  const std::string ops = "copy S[0:4] A[0:4]\nreduce S[0:4] B[0:4]\nreduce S[0:4] B[4:8]\ncopy C[0:4] S[0:4]\n";
  EXPECT_THAT(sums(ops, "", few_terms, {3}), ElementsAre("0-2 S[0:4] = A[0:4] B[0:4] B[4:8]"));
  EXPECT_THAT(sums(ops, "", few_terms, {0}), ElementsAre("1-3 C[0:4] = S[0:4] B[0:4] B[4:8]"));
  EXPECT_THAT(sums(ops, "", few_terms, {0, 1, 2, 3}), IsEmpty());
}

/// What the designs make: one sum for the rank's block, of which nothing but the result is written.
TEST(SumChains, AreFoundInLoweredProducts) {
  const Mesh mesh = parse_mesh("X=4");
  for (const Design design : {Design::kSequential, Design::kPull}) {
    LowerOptions options;
    options.overlap.reduce = design;
    const Schedule schedule = legalize(
        lower(
            plan(parse_statement("bf16 A[M=64, K=32_X] * B[K_X, N=48] -> C[M_X, N]", mesh), mesh, find_hardware("cpu")),
            options),
        {});
    const std::vector<std::string> found = sums_of(schedule);
    ASSERT_EQ(found.size(), 1U) << name(design);
    EXPECT_THAT(found.front(), testing::HasSubstr("C[0:16, 0:48] = C.product[16:32, 0:48] C.product@"));
  }
}

}  // namespace
}  // namespace meshmul::cuda
