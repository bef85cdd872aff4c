#include "schedule/knowledge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace meshmul {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 20U;

// Lanes on three ranks, with entries that raise and await.
class World {
 public:
  explicit World(std::size_t clock_bytes = kMuch) : history_(tracks_, clock_bytes), knowledge_(tracks_, history_) {}

  int lane(int rank, const std::string& name) { return tracks_.find(rank, name); }
  int relay(int rank, const std::string& name) { return tracks_.find_relay(rank, name); }

  /// An op that is over before the next one of its lane.
  EntryPlace add(int track, const std::vector<int>& waits = {}) { return append(track, {}, waits); }
  /// A put to `rank`. Returns its raise.
  int add_put(int track, int rank, const std::vector<int>& waits = {}) {
    TrackEntry entry;
    entry.asynchronous = true;
    return tracks_.add_raise(append(track, std::move(entry), waits), rank, "arrived");
  }
  int signal(EntryPlace place, int rank) { return tracks_.add_raise(place, rank, "ready"); }

  Knowledge& now(int track) { return at(track, tracks_.num_entries(track)); }
  Knowledge& at(int track, int num_entries) {
    knowledge_.begin(track, num_entries);
    return knowledge_;
  }

 private:
  EntryPlace append(int track, TrackEntry entry, const std::vector<int>& waits) {
    Knowledge& known = now(track);
    for (const int raise : waits) known.learn(raise);
    const EntryPlace place = tracks_.append(track, std::move(entry), waits);
    history_.add(place, known.clock());
    return place;
  }

  Schedule schedule_{{}, {}, {}, {}, std::vector<RankProgram>(3)};
  Tracks tracks_{schedule_};
  History history_;
  Knowledge knowledge_;
};

TEST(Knowledge, ALaneKnowsItsOwnOpsAndNoOthers) {
  World world;
  const int a = world.lane(0, "compute");
  const EntryPlace own = world.add(a);
  const EntryPlace other = world.add(world.lane(1, "compute"));
  EXPECT_TRUE(world.now(a).has_reached(own));
  EXPECT_FALSE(world.now(a).has_reached(other));
}

TEST(Knowledge, AWaitTellsWhatTheOtherLaneKnewThenAndNoMore) {
  World world;
  const int a = world.lane(0, "compute");
  const int b = world.lane(1, "compute");
  const int c = world.lane(2, "compute");
  const EntryPlace first = world.add(a);
  const EntryPlace told = world.add(b, {world.signal(first, 1)});
  const EntryPlace second = world.add(a);
  const EntryPlace later = world.add(b, {world.signal(second, 1)});
  world.add(c, {world.signal(told, 2)});
  EXPECT_TRUE(world.now(c).has_reached(first));
  EXPECT_TRUE(world.now(c).has_reached(told));
  EXPECT_FALSE(world.now(c).has_reached(second));
  EXPECT_FALSE(world.now(c).has_reached(later));
}

TEST(Knowledge, WhatIsLearntCountsAtOnceAndUntilTheNextBeginning) {
  World world;
  const int a = world.lane(0, "compute");
  const int b = world.lane(1, "compute");
  const EntryPlace place = world.add(a);
  const int raise = world.add_put(world.lane(0, "copy0"), 1);
  Knowledge& knowledge = world.now(b);
  knowledge.learn_reached(place);
  knowledge.learn(raise);
  EXPECT_TRUE(knowledge.has_reached(place));
  EXPECT_TRUE(knowledge.has_seen(raise));
  EXPECT_FALSE(world.now(b).has_reached(place));
  EXPECT_FALSE(world.now(b).has_seen(raise));
}

TEST(Knowledge, APutIsSeenOnlyByWhoAwaitedItOrALaterOne) {
  World world;
  const int copy = world.lane(0, "copy0");
  const int b = world.lane(1, "compute");
  const int c = world.lane(2, "compute");
  const int first = world.add_put(copy, 1);
  const int second = world.add_put(copy, 1);
  const int third = world.add_put(copy, 1);
  world.add(c, {world.signal(world.add(copy), 2)});
  EXPECT_FALSE(world.now(c).has_seen(first)) << "the put is under way when the next op of its lane is over";
  const EntryPlace seen = world.add(b, {second});
  world.add(c, {world.signal(seen, 2)});
  for (const int track : {b, c}) {
    EXPECT_TRUE(world.now(track).has_seen(first));
    EXPECT_TRUE(world.now(track).has_seen(second));
    EXPECT_FALSE(world.now(track).has_seen(third));
  }
}

TEST(Knowledge, ARelayPassesOnAllThatItHasAwaited) {
  World world;
  const int relay = world.relay(1, "relay");
  const int told = world.lane(2, "copy0");
  const EntryPlace before = world.add(world.lane(0, "compute"));
  const int first = world.add_put(world.lane(0, "copy0"), 1, {world.signal(before, 0)});
  const int second = world.add_put(world.lane(0, "copy1"), 1);
  world.add(relay, {first});
  EXPECT_TRUE(world.now(relay).has_seen(first));
  EXPECT_FALSE(world.now(told).has_seen(first));
  world.add(told, {world.signal(world.add(relay, {second}), 2)});
  EXPECT_TRUE(world.now(told).has_seen(first));
  EXPECT_TRUE(world.now(told).has_seen(second));
  EXPECT_TRUE(world.now(told).has_reached(before));
  EXPECT_FALSE(world.at(relay, 1).has_seen(second));
}

TEST(Knowledge, IsTheSameWhereNoClocksAreKept) {
  World with_clocks;
  World without(0);
  std::mt19937 random(3);
  const auto below = [&](std::size_t limit) { return static_cast<int>(random() % limit); };
  std::vector<EntryPlace> ops;
  std::vector<int> puts;
  std::vector<int> raises;  // of both
  int num_known = 0;
  const auto compare = [&](int track) {
    for (const EntryPlace& op : ops) {
      const bool known = with_clocks.now(track).has_reached(op);
      ASSERT_EQ(without.now(track).has_reached(op), known);
      num_known += known ? 1 : 0;
    }
    for (const int put : puts) ASSERT_EQ(without.now(track).has_seen(put), with_clocks.now(track).has_seen(put));
  };
  for (int i = 0; i < 200; ++i) {
    const int rank = below(3);
    const std::string name = "lane" + std::to_string(below(4));
    const int track = with_clocks.lane(rank, name);
    ASSERT_EQ(without.lane(rank, name), track);
    std::vector<int> waits;
    if (!raises.empty() && below(3) != 0)
      waits = {raises[raises.size() - 1 - random() % std::min<std::size_t>(raises.size(), 30)]};
    // Nobody awaits what was seen.
    if (!waits.empty() && with_clocks.now(track).has_seen(waits.front())) waits.clear();
    const int to = below(3);
    if (below(2) == 0) {
      puts.push_back(with_clocks.add_put(track, to, waits));
      raises.push_back(puts.back());
      ASSERT_EQ(without.add_put(track, to, waits), puts.back());
    } else {
      ops.push_back(with_clocks.add(track, waits));
      raises.push_back(with_clocks.signal(ops.back(), to));
      ASSERT_EQ(without.signal(without.add(track, waits), to), raises.back());
    }
    compare(track);
  }
  EXPECT_GT(num_known, 1000);
}

}  // namespace
}  // namespace meshmul
