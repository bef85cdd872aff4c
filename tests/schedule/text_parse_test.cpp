#include <gmock/gmock.h>

#include "golden/golden.hpp"
#include "meshmul/error.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul {
namespace {

std::string report_of(const std::string& text) {
  try {
    parse_schedule(text);
  } catch (const Error& error) {
    return error.report();
  }
  return "no error";
}

TEST(ParseSchedule, ErrorsAreThoseOfTheGoldenFile) {
  const std::string opening =
      "meshmul schedule 1\nmesh X=2\nrequires get\nbuffer a f32 [2, 3] symmetric\nsignal s\nrank 0\nlane compute\n";
  const auto cases = testing::read_golden("golden/schedule_errors.txt");
  ASSERT_FALSE(cases.empty());
  for (const auto& [name, in, out] : cases)
    EXPECT_EQ(report_of(in.rfind("meshmul", 0) == 0 ? in : opening + in), out) << name;
}

TEST(ParseSchedule, CommentsBlankLinesAndIndentationMeanNothing) {
  const Schedule plain =
      parse_schedule("meshmul schedule 1\nmesh X=2\nrequires nothing\nsignal s\nrank 1\nlane a\nsignal 0 s\n");
  EXPECT_EQ(parse_schedule("# first\n\nmeshmul  schedule 1 # one\r\n mesh X=2\n\trequires nothing\nsignal s#t\n\n"
                           "rank 1\n  lane a\n    signal 0   s"),
            plain);
}

TEST(ParseSchedule, OpsKeepTheLineOnWhichTheyStood) {
  Schedule schedule = parse_schedule(
      "meshmul schedule 1\nmesh X=2\nrequires nothing\nsignal s\n\nrank 1\n  # a comment\nlane a\nsignal 0 s\n\nwait s "
      ">= 1\n"
      "rank 0\nlane a\nsignal 1 s");
  EXPECT_EQ(line_of(schedule, {1, 0, 0}), 9);
  EXPECT_EQ(line_of(schedule, {1, 0, 1}), 11);
  EXPECT_EQ(line_of(schedule, {0, 0, 0}), 14);
  schedule.ranks[1].lanes[0].ops.pop_back();
  EXPECT_EQ(line_of(schedule, {1, 0, 0}), 10) << "as in the printed form, where rank 0 comes first";
}

TEST(ParseSchedule, ReadsWhatEachLineSays) {
  const Schedule schedule = parse_schedule(R"(meshmul schedule 1
    mesh X=2
    requires strided barrier get
    buffer a bf16 [2, 3] symmetric
    buffer b.whole f32 [4, 3] private
    signal got
    input A rank 1 [2:4, 0:3] at a[0:2, 0:3]
    rank 1
      lane copy0
        get b.whole[2:4, 0:3] a@0[0:2, 0:3] arrived got
        copy b.whole[0:3, 0:2] a[0:2, 0:3] permute 1 0 arrived got
  )");
  EXPECT_EQ(schedule.capabilities, (Capabilities{.get = true, .addressable = false, .strided = true, .barrier = true}));
  EXPECT_EQ(schedule.buffers[0], (BufferDecl{"a", Dtype::kBf16, {2, 3}, true}));
  EXPECT_EQ(schedule.buffers[1], (BufferDecl{"b.whole", Dtype::kF32, {4, 3}, false}));
  EXPECT_EQ(schedule.contract.inputs[0], (Holding{"A", Box{{2, 4}, {0, 3}}, Region{1, 0, Box{{0, 2}, {0, 3}}}}));
  EXPECT_TRUE(schedule.ranks[0].lanes.empty());
  const Lane& lane = schedule.ranks[1].lanes[0];
  EXPECT_EQ(lane.name, "copy0");
  EXPECT_EQ(lane.ops[0], Op(Get{{1, 1, Box{{2, 4}, {0, 3}}}, {0, 0, Box{{0, 2}, {0, 3}}}, 0, std::nullopt}));
  const Region dst{1, 1, Box{{0, 3}, {0, 2}}};
  const Region src{1, 0, Box{{0, 2}, {0, 3}}};
  EXPECT_EQ(lane.ops[1], Op(Copy{dst, src, {1, 0}, 0}));
}

}  // namespace
}  // namespace meshmul
