// Pairs of ops that touch the same memory, one of them writing, and that no signals put in order.

#include <fmt/format.h>

#include "race_walk.hpp"
#include "rules.hpp"
#include "words.hpp"

namespace meshmul::verification {

std::vector<Finding> check_races(const Schedule& schedule, const RaceWalk& walk) {
  std::vector<Finding> findings;
  for (const Race& race : walk.races()) {
    const OpPlace place = walk.lanes().place(race.later.lane, race.later.moment);
    const OpPlace earlier = walk.lanes().place(race.earlier.lane, race.earlier.moment);
    const auto text = [&](const Box& box) {
      return to_string(schedule, place.rank, Region{race.rank, race.buffer, box});
    };
    findings.push_back({Rule::kRace, place,
                        fmt::format("{} {}, and {} {} {}; both touch {}, and nothing orders the two",
                                    race.later.is_write ? "writes" : "reads", text(*race.later.box),
                                    op_text(schedule, earlier), race.earlier.is_write ? "writes" : "reads",
                                    text(*race.earlier.box), text(intersect(*race.earlier.box, *race.later.box)))});
  }
  return findings;
}

}  // namespace meshmul::verification
