#include "measure/collective_case.hpp"

#include <gmock/gmock.h>

#include <optional>

namespace meshmul::measure {
namespace {

constexpr CollectiveKind kKinds[] = {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter,
                                     CollectiveKind::kAllReduce, CollectiveKind::kAllToAll};

CollectiveCase prepared(CollectiveKind kind, std::int64_t bytes, Team& team, MpiPeer* mpi) {
  return prepare_collective(kind, bytes, algorithms(), find_hardware("cpu"), *find_executor("threads"), team, mpi, {});
}

TEST(CollectiveCase, EveryAlgorithmRunsAndOneIsChosen) {
  Team team(2);
  for (const CollectiveKind kind : kKinds) {
    const CollectiveCase collective = prepared(kind, 4096, team, nullptr);
    EXPECT_EQ(collective.rows.size(), algorithms().size());
    int chosen = 0;
    for (const CollectiveRow& row : collective.rows) {
      EXPECT_GT(row.timed(), 0) << row.name;
      chosen += row.is_chosen;
    }
    EXPECT_EQ(chosen, 1);
    EXPECT_GT(collective.copies(), 0);
    EXPECT_GT(collective.rewriting(), 0);
    EXPECT_EQ(collective.mpi, nullptr);
  }
}

TEST(CollectiveCase, EveryRankHasToGetWhatOthersHaveForIt) {
  Team team(4);
  const auto bytes = [&](CollectiveKind kind) { return prepared(kind, 4096, team, nullptr).bytes_to_get; };
  EXPECT_EQ(bytes(CollectiveKind::kAllGather), 3 * 4096);
  EXPECT_EQ(bytes(CollectiveKind::kReduceScatter), 3 * 1024);
  EXPECT_EQ(bytes(CollectiveKind::kAllReduce), 6 * 1024);
  EXPECT_EQ(bytes(CollectiveKind::kAllToAll), 3 * 1024);
}

TEST(CollectiveCase, MpiAnswersBatchAfterBatchWhereItIsThere) {
  if (!MpiPeer::is_available()) return;  // then meshmul has nothing to compare with, and says so
  Team team(2);
  MpiPeer mpi(2, [] { return false; });
  for (const CollectiveKind kind : kKinds) {
    EXPECT_GT(mpi.run({kind, 3, 4096}), 0);
    EXPECT_GT(prepared(kind, 4096, team, &mpi).mpi(), 0);
  }
}

}  // namespace
}  // namespace meshmul::measure
