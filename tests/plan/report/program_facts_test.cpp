#include "plan/report/program_facts.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

ProgramPlan planned(const char* program, const Mesh& mesh, const char* hardware) {
  return plan(parse_program(program, mesh), mesh, find_hardware(hardware));
}

TEST(ProgramFacts, SayWhatTheWholeProgramTakes) {
  const ProgramPlan plan = planned(
      "bf16 In[B=128, D=8192_XY]\nbf16 Win[D=8192, F=32768_XY]\nbf16 Wout[F=32768_XY, D=8192]\n"
      "bf16 H[B=128, F=32768_XY] = In * Win\nbf16 Out[B=128, D=8192_XY] = H * Wout\n",
      Mesh{{"X", 2}, {"Y", 2}}, "v5e:2x2");
  EXPECT_THAT(
      total_sentences(plan),
      ElementsAre(
          "tensor parallel: 376.5 us without overlap, at best 337.6 us with; 275 MB a device, the limit is 16 GB",
          "34.4 GFLOP a device; bound by memory: the products take 8.67 times as long as the moves",
          "on the chip, most for H: shards of 137 MB and slots of 1.05 MB do not fit into 134 MB"));
  EXPECT_THAT(case_sentences(plan.best), SizeIs(4));
  EXPECT_THAT(case_sentences(plan.best)[0], HasSubstr("H, X: case 2"));
}

TEST(ProgramFacts, CountTheStatementsOfALoopAsOftenAsTheyAreDone) {
  const char* once = "X[I=64, J=64]\nW[J=64, K=64]\nY[I=64, K=64] = X * W\n";
  const char* often =
      "X[I=64, J=64]\nW[L=8, J=64, K=64]\nV[K=64, J=64]\nrepeat L as l {\n  Y[I=64, K=64] = X * W[l]\n  X = Y * V like "
      "X\n}\n";
  EXPECT_THAT(total_sentences(planned(once, Mesh{}, "h100"))[1], HasSubstr("524 kFLOP a device"));
  EXPECT_THAT(total_sentences(planned(often, Mesh{}, "h100"))[1], HasSubstr("8.39 MFLOP a device"));
}

TEST(ProgramFacts, HaveNoSentenceAboutAChipThatIsNotKnown) {
  EXPECT_THAT(total_sentences(planned("A[I=8, J=8]\nB[J=8, K=8]\nC[I=8, K=8] = A * B\n", Mesh{}, "cpu")), SizeIs(2));
}

}  // namespace
}  // namespace meshmul
