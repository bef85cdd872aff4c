#include "draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "../buffers.hpp"
#include "../capabilities.hpp"
#include "../effects.hpp"
#include "../op_regions.hpp"
#include "meshmul/error.hpp"

namespace meshmul {

Draft::Draft(const Schedule& schedule) {
  frame_.contract = schedule.contract;
  frame_.capabilities = schedule.capabilities;
  frame_.buffers = schedule.buffers;
  frame_.ranks.resize(schedule.ranks.size());
  for (const SignalDecl& signal : schedule.signals) signal_names_.push_back(signal.name);
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes) {
      const int number = find_lane(rank, lane.name);
      for (const Op& op : lane.ops) {
        DraftOp draft{op, {}, {}, {}};
        for (const auto& [at, signal, event] : effects_of(op, rank).raises)
          (event == Event::kReadDone ? draft.read_done : draft.arrived) = read_raise(at, signal, number);
        append(number, std::move(draft));
      }
    }
  for (DraftLane& lane : lanes_)
    for (DraftOp& op : lane.ops)
      if (const auto* wait = std::get_if<Wait>(&op.op)) op.awaited = read_wait(lane.rank, *wait);
}

DraftRaise Draft::read_raise(int rank, int signal, int lane) {
  const std::string& name = signal_names_[static_cast<std::size_t>(signal)];
  const auto [found, is_new] = word_numbers_.try_emplace({rank, signal}, static_cast<int>(words_.size()));
  if (is_new) words_.push_back({name, rank, {}});
  DraftWord& word = words_[static_cast<std::size_t>(found->second)];
  if (!word.writers.empty() && word.writers.front() != lane) {
    const DraftLane& first = this->lane(word.writers.front());
    const DraftLane& second = this->lane(lane);
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("signal {} of rank {} is raised by lane {} of rank {} and by lane {} of rank {}; expected "
                            "one writing lane",
                            name, rank, first.name, first.rank, second.name, second.rank));
  }
  word.writers.push_back(lane);
  return {found->second, static_cast<int>(word.writers.size()) - 1};
}

std::optional<DraftRaise> Draft::read_wait(int rank, const Wait& wait) {
  if (wait.threshold == 0) return std::nullopt;
  const auto found = word_numbers_.find({rank, wait.signal});
  const std::size_t num_raises =
      found == word_numbers_.end() ? 0 : words_[static_cast<std::size_t>(found->second)].writers.size();
  if (wait.threshold > num_raises)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("rank {} waits for signal {} to reach {}, but it is raised {} times", rank,
                            signal_names_[static_cast<std::size_t>(wait.signal)], wait.threshold, num_raises));
  return DraftRaise{found->second, static_cast<int>(wait.threshold) - 1};
}

int Draft::shared_buffer(const std::string& name, Dtype dtype, const Shape& shape) {
  const auto [found, is_new] = shared_buffers_.try_emplace({name, dtype, shape}, 0);
  if (is_new) found->second = add_buffer(frame_, name, dtype, shape);
  return found->second;
}

int Draft::find_lane(int rank, const std::string& name) {
  const auto [found, is_new] = lane_numbers_.try_emplace({rank, name}, num_lanes());
  if (is_new) lanes_.push_back({rank, name, {}});
  return found->second;
}

int Draft::add_word(std::string name, int rank) {
  words_.push_back({std::move(name), rank, {}});
  return static_cast<int>(words_.size()) - 1;
}

DraftRaise Draft::add_raise(int word) {
  std::vector<int>& writers = words_[static_cast<std::size_t>(word)].writers;
  writers.push_back(-1);
  return {word, static_cast<int>(writers.size()) - 1};
}

// Numbers the signals and counts the increments of rewritten lanes.
class Draft::Builder {
 public:
  explicit Builder(Draft& draft) : draft_(draft) {}

  Schedule build() {
    find_writers();
    name_signals();
    count_increments();
    for (const DraftLane& lane : draft_.lanes_) write(lane);
    Schedule& schedule = draft_.frame_;
    make_shared_buffers_symmetric(schedule);
    schedule.capabilities = required_capabilities(schedule);
    return std::move(schedule);
  }

 private:
  template <class Visit>
  void for_each_raise(Visit visit) {
    for (int lane = 0; lane < draft_.num_lanes(); ++lane)
      for (const DraftOp& op : draft_.lane(lane).ops) {
        if (op.read_done) visit(lane, *op.read_done);
        if (op.arrived) visit(lane, *op.arrived);
      }
  }

  std::vector<int>& writers_of(int word) { return draft_.words_[static_cast<std::size_t>(word)].writers; }
  int writer_of(const DraftRaise& raise) { return writers_of(raise.word)[static_cast<std::size_t>(raise.position)]; }

  void find_writers() {
    for_each_raise([&](int lane, const DraftRaise& raise) {
      writers_of(raise.word)[static_cast<std::size_t>(raise.position)] = lane;
    });
  }

  // A word that one lane writes keeps its name; else each writer has a signal that says whose it is.
  void name_signals() {
    std::set<std::string> used;
    for (std::size_t i = 0; i < draft_.words_.size(); ++i) {
      const DraftWord& word = draft_.words_[i];
      const std::set<int> writers(word.writers.begin(), word.writers.end());
      for (const int writer : writers) {
        const DraftLane& lane = draft_.lane(writer);
        std::string name = writers.size() == 1 ? word.name : fmt::format("{}.from{}", word.name, lane.rank);
        while (owners_.try_emplace({word.rank, name}, writer).first->second != writer) name += "." + lane.name;
        names_[{static_cast<int>(i), writer}] = name;
        used.insert(std::move(name));
      }
    }
    const auto declare = [&](const std::string& name) {
      if (used.erase(name) == 0) return;
      signals_[name] = static_cast<int>(draft_.frame_.signals.size());
      draft_.frame_.signals.push_back({name});
    };
    for (const std::string& name : draft_.signal_names_) declare(name);
    while (!used.empty()) declare(std::string(*used.begin()));
  }

  int signal_of(int word, int writer) { return signals_.at(names_.at({word, writer})); }
  int signal_of(const DraftRaise& raise) { return signal_of(raise.word, writer_of(raise)); }

  void count_increments() {
    std::map<std::pair<int, int>, std::uint64_t> counts;  // by rank and signal
    for_each_raise([&](int /*lane*/, const DraftRaise& raise) {
      const int rank = draft_.words_[static_cast<std::size_t>(raise.word)].rank;
      thresholds_[{raise.word, raise.position}] = ++counts[{rank, signal_of(raise)}];
    });
  }

  void write(const DraftLane& lane) {
    if (lane.ops.empty()) return;
    Lane& out = draft_.frame_.ranks[static_cast<std::size_t>(lane.rank)].lanes.emplace_back(Lane{lane.name, {}});
    std::map<int, std::uint64_t> passed;  // by signal
    for (const DraftOp& draft : lane.ops) {
      if (std::holds_alternative<Wait>(draft.op)) {
        if (draft.awaited) write_waits(*draft.awaited, passed, out.ops);
        continue;
      }
      Op op = draft.op;
      if (draft.arrived) set_arrived(op, signal_of(*draft.arrived));
      if (draft.read_done) set_read_done(op, signal_of(*draft.read_done));
      out.ops.push_back(std::move(op));
    }
  }

  // All increments of the word up to `last`, whoever makes them; what the lane has passed before need not be awaited.
  void write_waits(const DraftRaise& last, std::map<int, std::uint64_t>& passed, std::vector<Op>& ops) {
    std::map<int, std::uint64_t> needed;  // by signal
    for (int position = 0; position <= last.position; ++position) {
      const DraftRaise raise{last.word, position};
      std::uint64_t& threshold = needed[signal_of(raise)];
      threshold = std::max(threshold, thresholds_.at({raise.word, raise.position}));
    }
    for (const auto& [signal, threshold] : needed) {
      if (passed[signal] >= threshold) continue;
      passed[signal] = threshold;
      ops.emplace_back(Wait{signal, threshold});
    }
  }

  Draft& draft_;
  std::map<std::pair<int, int>, std::string> names_;   // by word and writing lane
  std::map<std::pair<int, std::string>, int> owners_;  // by rank and name: the lane
  std::map<std::string, int> signals_;
  std::map<std::pair<int, int>, std::uint64_t> thresholds_;  // by word and position
};

Schedule Draft::build() { return Builder(*this).build(); }

DraftOp wait_for(DraftRaise raise) { return {Wait{}, {}, {}, raise}; }

DraftOp signal_of(int rank, DraftRaise raise) { return {Signal{rank, 0}, raise, {}, {}}; }

}  // namespace meshmul
