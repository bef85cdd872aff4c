// Races between one run and the next, where every rank begins its next run as soon as its own lanes are through. Two runs
// tell of any number: an op of a third run comes after the same op of the second, which conflicts with all that it does.
// A deadlock cannot come about, since counters only grow: the first run ends as it does alone, and so does each after it.
//
// The next run need not be walked through: its lanes hear of one another as they do in this one, and a lane knows of this
// run whatever its own rank and all whose next run it has heard of knew at their ends.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "race_walk.hpp"
#include "rules.hpp"
#include "run_end.hpp"
#include "schedule/effect_table.hpp"
#include "words.hpp"

namespace meshmul::verification {
namespace {

// What an op of the next run, or a host between the runs, does to a region.
struct NextTouch {
  const Region* region = nullptr;
  bool is_write = false;
  std::optional<OpPlace> place;  // none: a host
};

class NextRun {
 public:
  NextRun(const Schedule& schedule, const RaceWalk& walk)
      : schedule_(schedule),
        walk_(walk),
        end_(walk.lanes(), walk.clocks(), schedule.num_ranks()),
        is_known_(static_cast<std::size_t>(end_.num_portions())),
        owner_knows_(schedule.ranks.size() * schedule.buffers.size(), Answer::kNotAsked),
        of_hosts_(schedule.ranks.size() * schedule.buffers.size()) {
    for (const Holding& output : schedule.contract.outputs) add_host_touch(output.region, false);
    for (const Holding& input : schedule.contract.inputs) add_host_touch(input.region, true);
  }

  std::vector<Finding> check() {
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank) {
      forget_all();
      know(rank);
      check_host(rank);
      const std::vector<Lane>& lanes = schedule_.ranks[static_cast<std::size_t>(rank)].lanes;
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) check_lane(rank, static_cast<int>(lane), lanes[lane].ops);
    }
    return std::move(findings_);
  }

 private:
  enum class Answer : unsigned char { kNotAsked, kYes, kNo };
  struct HostTouch {
    const Region* region;
    bool is_write;
  };

  std::size_t place_of(const Region& region) const {
    return static_cast<std::size_t>(region.rank) * schedule_.buffers.size() + static_cast<std::size_t>(region.buffer);
  }
  void add_host_touch(const Region& region, bool is_write) {
    if (!region.box.empty()) of_hosts_[place_of(region)].push_back({&region, is_write});
  }

  void forget_all() {
    for (const int portion : known_) is_known_[static_cast<std::size_t>(portion)] = false;
    known_.clear();
  }
  void know(int portion) {
    if (is_known_[static_cast<std::size_t>(portion)]) return;
    is_known_[static_cast<std::size_t>(portion)] = true;
    known_.push_back(portion);
  }
  bool knows(int portion) const { return is_known_[static_cast<std::size_t>(portion)]; }

  void check_host(int rank) {
    for (std::size_t buffer = 0; buffer < schedule_.buffers.size(); ++buffer)
      for (const HostTouch& touch : of_hosts_[static_cast<std::size_t>(rank) * schedule_.buffers.size() + buffer])
        check_ops({touch.region, touch.is_write, std::nullopt});
  }

  // Tells walk_effects of one op.
  struct OpTouches {
    NextRun& next;
    OpPlace place;
    bool is_fine = true;  // of an op, the first race is reported
    void reads(const Region& region) { add(region, false); }
    void writes(const Region& region) { add(region, true); }
    void raises(const Raise&) {}
    void waits(const Wait&) {}
    void add(const Region& region, bool is_write) {
      const NextTouch touch{&region, is_write, place};
      is_fine = is_fine && next.check_ops(touch) && next.check_hosts(touch);
    }
  };

  void check_lane(int rank, int lane, const std::vector<Op>& ops) {
    forget_all();
    know(rank);
    const std::vector<Heard>& heard = walk_.clocks().heard(walk_.lanes().number(rank, lane));
    auto next = heard.begin();
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const auto moment = static_cast<int>(i);
      for (; next != heard.end() && next->moment <= moment; ++next)
        know(next->rank >= 0 ? next->rank : end_.portion_of_late_word(next->late_word));
      OpTouches touches{*this, {rank, lane, moment}};
      walk_effects(ops[i], rank, touches);
    }
  }

  // True if the owner knows that whatever touched the buffer is over, and whoever has heard of it knows with it.
  bool owner_knows_all(const Region& region) {
    Answer& answer = owner_knows_[place_of(region)];
    if (answer == Answer::kNotAsked) {
      answer = Answer::kYes;
      walk_.history(region.rank, region.buffer).for_each([&](const Access& access) {
        if (!end_.tells(region.rank, access)) answer = Answer::kNo;
        return answer == Answer::kYes;
      });
    }
    return answer == Answer::kYes;
  }

  bool is_known_to_be_over(const Access& access) const {
    return std::any_of(known_.begin(), known_.end(), [&](int portion) { return end_.tells(portion, access); });
  }

  // Against the ops of this run. False, with a finding, if there is a race.
  bool check_ops(const NextTouch& touch) {
    const Region& region = *touch.region;
    if (knows(region.rank) && owner_knows_all(region)) return true;
    const Access* racing = nullptr;
    walk_.history(region.rank, region.buffer).for_each_conflict(region.box, touch.is_write, [&](const Access& access) {
      if (!is_known_to_be_over(access)) racing = &access;
      return racing == nullptr;
    });
    if (racing == nullptr) return true;
    const OpPlace earlier = walk_.lanes().place(racing->lane, racing->moment);
    const OpPlace place = touch.place.value_or(earlier);
    const auto text = [&](const Box& box) { return this->text(place, region, box); };
    const std::string here = fmt::format("{} {}", verb(racing->is_write), text(*racing->box));
    const std::string next = fmt::format("{} {}", verb(touch.is_write), text(region.box));
    const std::string both =
        touch.place ? fmt::format("in the next run {}, and {} {} in this one", next, op_text(schedule_, earlier), here)
                    : fmt::format("{}, and the host of rank {} {} between the runs", here, region.rank, next);
    add_finding(place, both, text(intersect(region.box, *racing->box)));
    return false;
  }

  // Against the host of the owner between the runs, which is done once the owner has begun its next run.
  bool check_hosts(const NextTouch& touch) {
    const Region& region = *touch.region;
    if (knows(region.rank)) return true;
    for (const HostTouch& host : of_hosts_[place_of(region)]) {
      if ((!host.is_write && !touch.is_write) || !overlap(host.region->box, region.box)) continue;
      const auto text = [&](const Box& box) { return this->text(*touch.place, region, box); };
      add_finding(
          *touch.place,
          fmt::format("in the next run {} {}, and the host of rank {} {} {} between the runs", verb(touch.is_write),
                      text(region.box), region.rank, verb(host.is_write), text(host.region->box)),
          text(intersect(region.box, host.region->box)));
      return false;
    }
    return true;
  }

  void add_finding(const OpPlace& place, const std::string& both, const std::string& common) {
    findings_.push_back(
        {Rule::kBackToBack, place, fmt::format("{}; both touch {}, and nothing orders the two", both, common)});
  }

  static const char* verb(bool is_write) { return is_write ? "writes" : "reads"; }
  // `box` of the buffer of `region`, as an op at `place` writes it.
  std::string text(const OpPlace& place, const Region& region, const Box& box) const {
    return to_string(schedule_, place.rank, Region{region.rank, region.buffer, box});
  }

  const Schedule& schedule_;
  const RaceWalk& walk_;
  RunEnd end_;
  std::vector<int> known_;                        // portions that the lane at hand knows
  std::vector<bool> is_known_;                    // the same
  std::vector<Answer> owner_knows_;               // by rank and buffer
  std::vector<std::vector<HostTouch>> of_hosts_;  // by rank and buffer
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_back_to_back(const Schedule& schedule, const RaceWalk& walk) {
  return NextRun(schedule, walk).check();
}

}  // namespace meshmul::verification
