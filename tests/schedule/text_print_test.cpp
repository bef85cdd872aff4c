#include <gmock/gmock.h>

#include <sstream>

#include "meshmul/schedule.hpp"
#include "schedule/random_schedule.hpp"

namespace meshmul {
namespace {

TEST(PrintSchedule, AnyScheduleParsesBack) {
  for (std::uint64_t seed = 0; seed < 300 / MESHMUL_RANDOM_CASE_DIVISOR; ++seed) {
    const Schedule schedule = testing::RandomSchedule(seed).make();
    const std::string text = to_string(schedule);
    ASSERT_EQ(parse_schedule(text), schedule) << "seed " << seed << "\n" << text;
  }
}

TEST(PrintSchedule, LineOfFindsEveryOp) {
  for (std::uint64_t seed = 0; seed < 50 / MESHMUL_RANDOM_CASE_DIVISOR; ++seed) {
    const Schedule schedule = testing::RandomSchedule(seed).make();
    std::vector<std::string> lines;
    std::istringstream stream(to_string(schedule));
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    for (int rank = 0; rank < schedule.num_ranks(); ++rank)
      for (int lane = 0; lane < static_cast<int>(schedule.ranks[static_cast<std::size_t>(rank)].lanes.size()); ++lane) {
        const auto& ops = schedule.ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)].ops;
        for (int op = 0; op < static_cast<int>(ops.size()); ++op)
          ASSERT_EQ(lines[static_cast<std::size_t>(line_of(schedule, {rank, lane, op}) - 1)],
                    "    " + to_string(schedule, rank, ops[static_cast<std::size_t>(op)]))
              << "seed " << seed;
      }
  }
}

TEST(PrintSchedule, ItemsStandInTheOrderOfTheFlow) {
  const std::string text =
      "meshmul schedule 1\n"
      "mesh X=2\n"
      "requires get addressable\n"
      "statement f32 A[I=4_X, J=3] -> f32 A[I=4, J=3]\n"
      "buffer a f32 [2, 3] symmetric\n"
      "buffer t f32 [] private\n"
      "signal got\n"
      "input A rank 0 [0:2, 0:3] at a[0:2, 0:3]\n"
      "output C rank 1 [0:2, 0:3] at a[0:2, 0:3]\n"
      "rank 1\n"
      "  lane compute\n"
      "    copy a@0[0:2, 0:2] a[0:2, 0:2] permute 1 0 arrived got\n"
      "    map t[] zero\n"
      "    wait got >= 3\n";
  EXPECT_EQ(to_string(parse_schedule(text)), text);
  EXPECT_EQ(to_string(Schedule{}), "meshmul schedule 1\nmesh\nrequires get addressable strided barrier\n");
}

TEST(Schedule, BytesPerRankAddsAllBuffers) {
  Schedule schedule;
  schedule.buffers = {{"a", Dtype::kBf16, {3, 5}, true}, {"b", Dtype::kF64, {}, false}, {"c", Dtype::kF32, {0}, false}};
  EXPECT_EQ(bytes_per_rank(schedule), 30 + 8);
}

TEST(Schedule, BytesBetweenRanksAreThoseThatTouchAPeer) {
  const std::string header =
      "meshmul schedule 1\nmesh X=2\nrequires get addressable strided\n"
      "buffer a f32 [4] symmetric\nbuffer b bf16 [4] symmetric\nsignal s\nrank 0\nlane compute\n";
  const auto bytes = [&](const std::string& op) { return bytes_between_ranks(parse_schedule(header + op + "\n")); };
  EXPECT_EQ(bytes("put a@1[0:3] a[0:3] arrived s"), 12);
  EXPECT_EQ(bytes("get b[0:3] b@1[0:3] arrived s"), 6);
  EXPECT_EQ(bytes("copy a[0:4] b@1[0:4]"), 8);
  EXPECT_EQ(bytes("reduce a@1[0:4] b[0:4]"), 2 * 16);  // reads the sum and writes it
  EXPECT_EQ(bytes("copy a[0:4] b[0:4]"), 0);
  EXPECT_EQ(bytes("put a@1[0:0] a[0:0] arrived s"), 0);
  EXPECT_EQ(bytes("signal 1 s"), 0);
}

}  // namespace
}  // namespace meshmul
