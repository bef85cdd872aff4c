#pragma once
// A schedule that is being rewritten. Signals are not counted here: an op names the increments that it makes, and a wait
// the last of those that it is for, so ops may move to other lanes and new ones may come between.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// One increment of a DraftWord.
struct DraftRaise {
  int word = 0;
  int position = 0;  ///< in the word's order, from 0
};

/// Increments at one rank in a fixed order. Where several lanes come to make them, they become a signal for each lane.
struct DraftWord {
  std::string name;
  int rank = 0;
  std::vector<int> writers;  ///< by position: the lane whose op makes it
};

struct DraftOp {
  Op op;                                ///< its signals and thresholds mean nothing here
  std::optional<DraftRaise> arrived;    ///< that of a Signal too
  std::optional<DraftRaise> read_done;  ///< `sent` or `taken`
  std::optional<DraftRaise> awaited;    ///< of a Wait: this increment and all before it
};

struct DraftLane {
  int rank = 0;
  std::string name;
  std::vector<DraftOp> ops;
};

class Draft {
 public:
  /// Throws Error(kInvalidArgument) if a word has two writing lanes or fewer increments than some wait is for.
  explicit Draft(const Schedule& schedule);

  int num_ranks() const { return static_cast<int>(frame_.ranks.size()); }
  /// Whether the result requires a barrier between runs; until this is said, it does if the given schedule did.
  void require_barrier(bool is_required) { frame_.capabilities.barrier = is_required; }

  /// Counts the increments again and checks what is needed. Leaves out signals that are no longer used.
  Schedule build();

  const BufferDecl& buffer(const Region& region) const {
    return frame_.buffers[static_cast<std::size_t>(region.buffer)];
  }
  /// A buffer on every rank, the same one for equal arguments. If `name` is taken its name gets a number.
  int shared_buffer(const std::string& name, Dtype dtype, const Shape& shape);

  int num_lanes() const { return static_cast<int>(lanes_.size()); }
  DraftLane& lane(int lane) { return lanes_[static_cast<std::size_t>(lane)]; }
  /// The number of the lane `name` of `rank`, which is added if it is new.
  int find_lane(int rank, const std::string& name);
  void append(int lane, DraftOp op) { this->lane(lane).ops.push_back(std::move(op)); }

  int num_words() const { return static_cast<int>(words_.size()); }
  const DraftWord& word(int word) const { return words_[static_cast<std::size_t>(word)]; }
  /// A new signal at `rank`.
  int add_word(std::string name, int rank);
  DraftRaise add_raise(int word);

 private:
  class Builder;

  DraftRaise read_raise(int rank, int signal, int lane);
  std::optional<DraftRaise> read_wait(int rank, const Wait& wait);

  Schedule frame_;  // without signals and lanes
  std::vector<std::string> signal_names_;
  std::vector<DraftLane> lanes_;
  std::vector<DraftWord> words_;
  std::map<std::pair<int, std::string>, int> lane_numbers_;
  std::map<std::tuple<std::string, Dtype, Shape>, int> shared_buffers_;
  std::map<std::pair<int, int>, int> word_numbers_;  // by rank and signal of the given schedule
};

/// `wait` for an increment, and a signal that makes it.
DraftOp wait_for(DraftRaise raise);
DraftOp signal_of(int rank, DraftRaise raise);

}  // namespace meshmul
