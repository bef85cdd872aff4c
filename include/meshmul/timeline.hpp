#pragma once
// When each op of a schedule ran, and on which links its bytes went: predicted by the simulator, or measured. Spans stand in
// the order of the schedule, one an op, so that two timelines of one schedule compare row by row.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// What a lane does during a span.
enum class SpanKind {
  kProduct,   ///< gemm
  kMemory,    ///< copy, reduce, map
  kTransfer,  ///< put, get: from its start until its bytes are visible
  kSignal,    ///< from its start until the peer can see it
  kWait,      ///< from when the lane came to it until it passed
};
std::string_view name(SpanKind kind);

/// One op. `start_ps` and `end_ps` count from the start of the run.
struct Span {
  OpPlace place;
  SpanKind kind = SpanKind::kProduct;
  std::int64_t line = 0;  ///< in the text that the schedule was read from; 0 if it was built
  std::int64_t start_ps = 0;
  std::int64_t end_ps = 0;

  std::int64_t duration_ps() const { return end_ps - start_ps; }
  bool operator==(const Span&) const = default;
};

/// A link between two ranks, or a port. Ends are ranks or one of the constants; bytes go from the first to the second, or
/// both ways where the machine has one link for both.
struct Link {
  static constexpr int kSwitch = -1;   ///< the switch that ports lead to
  static constexpr int kNetwork = -2;  ///< a node, or the network between nodes; where it is not known

  std::string name;  ///< `3 -> 4`, `rank 3 out`, `node 0 in`
  int from = kNetwork;
  int to = kNetwork;
  bool operator==(const Link&) const = default;
};

/// A link or port that carried bytes of an op.
struct LinkUse {
  std::int32_t link = 0;  ///< index into Timeline::links
  std::int32_t span = 0;  ///< index into Timeline::spans
  std::int64_t start_ps = 0;
  std::int64_t end_ps = 0;
  bool operator==(const LinkUse&) const = default;
};

/// What the time of a step of the critical path went into.
enum class Blame {
  kCompute,  ///< a product, a copy, an addition
  kLink,     ///< bytes on a link, its own ones or those in front of them
  kLatency,  ///< hops of bytes
  kCredit,   ///< hops of signals without bytes: credits, barriers, requests
};
inline constexpr int kNumBlames = 4;
std::string_view name(Blame blame);

/// A step of the critical path: the time that `span` takes of it, perhaps on `link`.
struct PathStep {
  Blame blame = Blame::kCompute;
  std::int32_t span = 0;
  std::int32_t link = -1;  ///< -1: none
  std::int64_t start_ps = 0;
  std::int64_t end_ps = 0;
  bool operator==(const PathStep&) const = default;
};

struct Timeline {
  bool measured = false;                        ///< else predicted
  std::vector<std::vector<std::string>> lanes;  ///< names, by rank
  std::vector<Span> spans;                      ///< in the order of the schedule: rank, lane, op
  std::vector<Link> links;                      ///< that carried bytes; empty if not known
  std::vector<LinkUse> link_uses;               ///< in the order in which the links were taken
  std::int64_t makespan_ps = 0;                 ///< when the last op ended
  /// From 0 to the makespan without a gap: no step of it could have begun before the one in front of it ended. Empty if
  /// not known.
  std::vector<PathStep> critical_path;

  bool operator==(const Timeline&) const = default;
};

/// The lanes of `schedule` and one span an op, none of which takes any time.
Timeline empty_timeline(const Schedule& schedule);

/// How the critical path divides into blames, by number of the blame.
std::array<std::int64_t, kNumBlames> blame_ps(const Timeline& timeline);

/// How busy the lanes of one name are, over all ranks; `relay.copy0.to3` counts as `relay.copy0`. A lane is busy while an op of
/// it runs that is no signal and no wait; of several at once the time counts once.
struct LaneUsage {
  std::string lane;
  int num_lanes = 0;
  std::int64_t mean_busy_ps = 0;  ///< rounded down
  std::int64_t most_busy_ps = 0;
  int busiest_rank = 0;
  bool operator==(const LaneUsage&) const = default;
};
/// In the order in which the names appear.
std::vector<LaneUsage> lane_usage(const Timeline& timeline);

/// How long each link is taken, by number of the link.
std::vector<std::int64_t> link_busy_ps(const Timeline& timeline);

struct RankUsage {
  std::int64_t end_ps = 0;      ///< of its last op
  std::int64_t compute_ps = 0;  ///< products, copies, additions: the time in which at least one runs
  /// Time in which the rank waits, or bytes that it puts or gets are under way, and it computes nothing.
  std::int64_t exposed_ps = 0;
  bool operator==(const RankUsage&) const = default;
};
std::vector<RankUsage> rank_usage(const Timeline& timeline);

}  // namespace meshmul
