// Races between one run and the next, where every rank begins its next run as soon as its own lanes are through. Two runs
// tell of any number: an op of a third run comes after the same op of the second, which conflicts with all that it does.
// A deadlock cannot come about, since counters only grow: the first run ends as it does alone, and so does each after it.

#include <fmt/format.h>

#include <string>

#include "race_walk.hpp"
#include "rules.hpp"
#include "words.hpp"

namespace meshmul::verification {
namespace {

class NextRunReader {
 public:
  NextRunReader(const Schedule& schedule, const LaneTable& lanes) : schedule_(schedule), lanes_(lanes) {}

  Finding finding_of(const Race& race) const {
    // The op that is named first: the later one, unless that is the host.
    const bool host_is_later = lanes_.is_host(race.later.lane);
    const Access& first = host_is_later ? race.earlier : race.later;
    const Access& second = host_is_later ? race.later : race.earlier;
    const OpPlace place = lanes_.place(first.lane, first.moment);
    return {Rule::kBackToBack, place,
            fmt::format("{}{} {}, and {} {} {} {}; both touch {}, and nothing orders the two",
                        host_is_later ? "" : "in the next run ", verb(first), text(race, place.rank, *first.box),
                        actor(second), verb(second), text(race, place.rank, *second.box),
                        lanes_.is_host(second.lane) ? "between the runs" : "in this one",
                        text(race, place.rank, intersect(*first.box, *second.box)))};
  }

 private:
  static const char* verb(const Access& access) { return access.is_write ? "writes" : "reads"; }
  std::string text(const Race& race, int rank, const Box& box) const {
    return to_string(schedule_, rank, Region{race.rank, race.buffer, box});
  }
  std::string actor(const Access& access) const {
    if (lanes_.is_host(access.lane)) return fmt::format("the host of rank {}", lanes_.rank(access.lane));
    return op_text(schedule_, lanes_.place(access.lane, access.moment));
  }

  const Schedule& schedule_;
  const LaneTable& lanes_;
};

}  // namespace

std::vector<Finding> check_back_to_back(const Schedule& schedule, const TokenRun& run) {
  constexpr int kRuns = 2;
  RaceWalk walk(schedule, kRuns);
  walk.run(run.steps, 0);
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) walk.host_step(rank);
  walk.run(run.steps, 1);
  const NextRunReader reader(schedule, walk.lanes());
  std::vector<Finding> findings;
  for (const Race& race : walk.races()) findings.push_back(reader.finding_of(race));
  return findings;
}

}  // namespace meshmul::verification
