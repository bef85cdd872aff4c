#include <gmock/gmock.h>

#include "meshmul/statement.hpp"
#include "meshmul/tune.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 4}};

TEST(MemoryLimit, ARefusalNamesTheWayThatTakesLeast) {
  const Hardware cpu = find_hardware("cpu");
  const Plan chosen = plan(parse_statement("A[M=64_X, K=64] * B[K, N=64_X] -> C[M, N_X]", kMesh), kMesh, cpu);
  LowerOptions pushed;
  pushed.overlap.gather = Design::kPush;
  pushed.overlap.slots = 4;
  const std::int64_t bytes = bytes_per_rank(legalize(lower(chosen, pushed), {}));
  const auto refusal = [&](const Capabilities& available) {
    return testing::message_of([&] { refuse_memory(chosen, pushed, bytes, 1000, cpu, available); });
  };
  EXPECT_EQ(
      refusal({}),
      "built overlapped push into 4 slots, the schedule takes 24576 bytes a rank; expected at most 1000 (the plan "
      "takes 28672; slots and what a backend stages come besides); built overlapped in-place, it takes 12288");
  EXPECT_THAT(refusal({.addressable = false}),
              ::testing::EndsWith("built overlapped push into 2 slots, it takes 18432"));
}

}  // namespace
}  // namespace meshmul
