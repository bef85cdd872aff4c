#pragma once
// Which events of a schedule come before which in every order, and which pairs race: touch the same memory, one of them
// writing, in either order. Counters only grow and each word has one writer, so this does not depend on a run.

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "execute/reference/machine.hpp"
#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"

namespace meshmul::testing {

class EventOrder {
 public:
  /// One event: an op as a whole or the start of a transfer; or the reading or writing of a transfer.
  struct Node {
    OpPlace op;
    Event event = Event::kStart;
    std::vector<Region> reads, writes;
  };

  explicit EventOrder(const Schedule& schedule) {
    add_nodes(schedule);
    add_waits(schedule);
    close();
  }

  const std::vector<Node>& nodes() const { return nodes_; }

  /// The event that a choice of `machine` is.
  std::size_t node_of(const Choice& choice, const Machine& machine) const {
    if (choice.kind == Choice::Kind::kOp)
      return number_.at({choice.rank, choice.lane, machine.position(choice.rank, choice.lane), Event::kStart});
    const Transfer& transfer = machine.transfers()[static_cast<std::size_t>(choice.transfer)];
    const bool reads = transfer.pieces[static_cast<std::size_t>(choice.piece)].state == Transfer::Piece::State::kUnread;
    return number_.at(
        {transfer.op.rank, transfer.op.lane, transfer.op.op, reads ? Event::kReadDone : Event::kWriteVisible});
  }

  bool conflict(std::size_t x, std::size_t y) const {
    return touches(nodes_[x].writes, nodes_[y].reads) || touches(nodes_[x].writes, nodes_[y].writes) ||
           touches(nodes_[x].reads, nodes_[y].writes);
  }

  /// True if the event races with another.
  bool races(std::size_t node) const { return races_[node]; }
  bool is_race_free() const {
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      if (races_[node]) return false;
    return true;
  }

 private:
  using Key = std::tuple<int, int, int, Event>;

  static bool touches(const std::vector<Region>& xs, const std::vector<Region>& ys) {
    for (const Region& x : xs)
      for (const Region& y : ys)
        if (x.rank == y.rank && x.buffer == y.buffer && overlap(x.box, y.box)) return true;
    return false;
  }

  std::size_t add(const OpPlace& op, Event event, std::vector<Region> reads, std::vector<Region> writes,
                  std::vector<std::size_t> before) {
    number_[{op.rank, op.lane, op.op, event}] = nodes_.size();
    nodes_.push_back({op, event, std::move(reads), std::move(writes)});
    before_.push_back(std::move(before));
    return nodes_.size() - 1;
  }

  void add_nodes(const Schedule& schedule) {
    for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
      const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
      for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane) {
        std::vector<std::size_t> before;
        const std::vector<Op>& ops = lanes[static_cast<std::size_t>(lane)].ops;
        for (int op = 0; op < static_cast<int>(ops.size()); ++op)
          before = {add_op({rank, lane, op}, ops[static_cast<std::size_t>(op)], before)};
      }
    }
  }

  std::size_t add_op(const OpPlace& place, const Op& op, const std::vector<std::size_t>& before) {
    const Effects effects = effects_of(op, place.rank);
    std::map<Event, std::size_t> at;
    if (effects.asynchronous) {
      at[Event::kStart] = add(place, Event::kStart, {}, {}, before);
      at[Event::kReadDone] = add(place, Event::kReadDone, effects.reads, {}, {at[Event::kStart]});
      at[Event::kWriteVisible] = add(place, Event::kWriteVisible, {}, effects.writes, {at[Event::kReadDone]});
    } else {
      at[Event::kStart] = add(place, Event::kStart, effects.reads, effects.writes, before);
      at[Event::kWriteVisible] = at[Event::kStart];
    }
    for (const Raise& raise : effects.raises) raises_[{raise.rank, raise.signal}].push_back(at.at(raise.event));
    return at[Event::kStart];
  }

  /// A wait comes after the first `threshold` increments of its word; never, if there are fewer.
  void add_waits(const Schedule& schedule) {
    never_.assign(nodes_.size(), false);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      const OpPlace& place = nodes_[node].op;
      const Lane& lane =
          schedule.ranks[static_cast<std::size_t>(place.rank)].lanes[static_cast<std::size_t>(place.lane)];
      const auto* wait = std::get_if<Wait>(&lane.ops[static_cast<std::size_t>(place.op)]);
      if (wait == nullptr) continue;
      const std::vector<std::size_t>& raises = raises_[{place.rank, wait->signal}];
      if (raises.size() < wait->threshold)
        never_[node] = true;
      else
        before_[node].insert(before_[node].end(), raises.begin(),
                             raises.begin() + static_cast<std::ptrdiff_t>(wait->threshold));
    }
  }

  /// All that comes before each event that happens at all, then the races among those.
  void close() {
    const std::size_t size = nodes_.size();
    std::vector<std::vector<bool>> all_before(size);  // empty: not known yet, or never
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t node = 0; node < size; ++node) {
        if (never_[node] || !all_before[node].empty()) continue;
        std::vector<bool> known(size, false);
        bool complete = true;
        for (const std::size_t earlier : before_[node]) {
          if (all_before[earlier].empty()) {
            complete = false;
            break;
          }
          known[earlier] = true;
          for (std::size_t i = 0; i < size; ++i)
            if (all_before[earlier][i]) known[i] = true;
        }
        if (!complete) continue;
        all_before[node] = std::move(known);
        changed = true;
      }
    }
    races_.assign(size, false);
    for (std::size_t x = 0; x < size; ++x)
      for (std::size_t y = 0; y < x; ++y)
        if (!all_before[x].empty() && !all_before[y].empty() && !all_before[x][y] && !all_before[y][x] &&
            conflict(x, y))
          races_[x] = races_[y] = true;
  }

  std::vector<Node> nodes_;
  std::map<Key, std::size_t> number_;
  std::vector<std::vector<std::size_t>> before_;                    // directly
  std::map<std::pair<int, int>, std::vector<std::size_t>> raises_;  // by rank and signal, in the order of the word
  std::vector<bool> never_, races_;
};

}  // namespace meshmul::testing
