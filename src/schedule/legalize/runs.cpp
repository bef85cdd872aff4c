// Handshakes instead of a barrier between runs.
//
//     rank 0    open ──────────────> 1    …    ops    …    wait done <───────────── 1    through; host; open ──> …
//                  my memory may be touched                   what you do to it is over
//
// Ops of rank r that touch memory of q in the next run come after q's host, and so after all that q knew when it was
// through, which is all that touched its memory.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "../effects.hpp"
#include "../op_regions.hpp"
#include "passes.hpp"

namespace meshmul {
namespace {

// An op of a draft.
struct DraftPlace {
  int lane = 0;
  int op = 0;
};

// Who makes each increment, who awaits it, and what the lanes tell one another with that.
class Handshaking {
 public:
  explicit Handshaking(Draft& draft) : draft_(draft), words_(static_cast<std::size_t>(draft.num_words())) {
    for (int number = 0; number < draft.num_words(); ++number)
      word(number).raises.resize(draft.word(number).writers.size());
    for_each_op([this](const DraftPlace& place, const DraftOp& op) {
      for (const std::optional<DraftRaise>& raise : {op.arrived, op.read_done})
        if (raise) word(raise->word).raises[static_cast<std::size_t>(raise->position)] = place;
      if (op.awaited) word(op.awaited->word).waits.push_back({place, op.awaited->position});
    });
    for (int number = 0; number < draft.num_words(); ++number) note_told(number);
  }

  template <class Visit>
  void for_each_op(Visit visit) {
    for (int lane = 0; lane < draft_.num_lanes(); ++lane) {
      const std::vector<DraftOp>& ops = draft_.lane(lane).ops;
      for (std::size_t i = 0; i < ops.size(); ++i) visit({lane, static_cast<int>(i)}, ops[i]);
    }
  }

  /// The ranks that make the increments up to `raise`.
  std::set<int> makers(const DraftRaise& raise) {
    std::set<int> ranks;
    for (int position = 0; position <= raise.position; ++position)
      ranks.insert(draft_.lane(word(raise.word).raises[static_cast<std::size_t>(position)].lane).rank);
    return ranks;
  }

  /// The waits that come after `raise`.
  std::vector<DraftPlace> awaiting(const DraftRaise& raise) {
    std::vector<DraftPlace> places;
    for (const auto& [place, position] : word(raise.word).waits)
      if (position >= raise.position) places.push_back(place);
    return places;
  }

  /// True if `rank` awaits an increment that its lane makes at or behind `place`, where that publishes the op there.
  bool is_told(int rank, const DraftPlace& place, bool is_published_by_itself) const {
    const auto last = last_told_.find({place.lane, rank});
    if (last == last_told_.end()) return false;
    return is_published_by_itself ? last->second >= place.op : last->second > place.op;
  }

 private:
  struct Word {
    std::vector<DraftPlace> raises;                 // by position
    std::vector<std::pair<DraftPlace, int>> waits;  // and the position of the last increment that each is for
  };

  Word& word(int number) { return words_[static_cast<std::size_t>(number)]; }

  void note_told(int number) {
    int last_awaited = -1;
    for (const auto& [place, position] : word(number).waits) last_awaited = std::max(last_awaited, position);
    for (int position = 0; position <= last_awaited; ++position) {
      const DraftPlace& place = word(number).raises[static_cast<std::size_t>(position)];
      int& last = last_told_.try_emplace({place.lane, draft_.word(number).rank}, -1).first->second;
      last = std::max(last, place.op);
    }
  }

  Draft& draft_;
  std::vector<Word> words_;
  std::map<std::pair<int, int>, int> last_told_;  // by lane and rank: the last op that tells
};

class RunSeparator {
 public:
  explicit RunSeparator(Draft& draft) : draft_(draft), signs_(draft) {
    for (int rank = 0; rank < draft.num_ranks(); ++rank) gates_.push_back(draft.find_lane(rank, "gate"));
  }

  void run() {
    signs_.for_each_op([this](const DraftPlace& place, const DraftOp& op) { find_what_is_missing(place, op); });
    open();
    close();
  }

 private:
  static constexpr int kAtEnd = -1;  // instead of the number of an op of a gate

  int rank_of(int lane) { return draft_.lane(lane).rank; }

  void find_what_is_missing(const DraftPlace& place, const DraftOp& op) {
    if (op.awaited)
      for (const int rank : signs_.makers(*op.awaited)) heard_.insert({place.lane, rank});
    if (is_signal_or_wait(op.op)) return;
    const int rank = rank_of(place.lane);
    const Effects effects = effects_of(op.op, rank);
    for (const auto* regions : {&effects.reads, &effects.writes})
      for (const Region& region : *regions) {
        if (region.rank == rank) continue;
        if (heard_.insert({place.lane, region.rank}).second) first_touches_.push_back({place, region.rank});
        if (!effects.asynchronous) tell(region.rank, place, true);
      }
    if (effects.asynchronous && !effects.writes.empty()) tell_of_transfer(op);
  }

  // Where its bytes arrive a put or get is known to be over; the rank of the source must know too.
  void tell_of_transfer(const DraftOp& op) {
    const int at_dst = destination(op.op).rank;
    const int at_src = sources(op.op).front().rank;
    std::vector<DraftPlace> waits = signs_.awaiting(*op.arrived);
    if (waits.empty()) waits.push_back(await_at_gate(at_dst, *op.arrived));
    if (op.read_done) {
      if (signs_.awaiting(*op.read_done).empty()) await_at_gate(at_src, *op.read_done);
      return;
    }
    const auto tells = [&](const DraftPlace& wait) { return wait.op != kAtEnd && signs_.is_told(at_src, wait, false); };
    if (std::none_of(waits.begin(), waits.end(), tells)) done_.insert({waits.front().lane, at_src});
  }

  void tell(int rank, const DraftPlace& place, bool is_published_by_itself) {
    if (!signs_.is_told(rank, place, is_published_by_itself)) done_.insert({place.lane, rank});
  }

  DraftPlace await_at_gate(int rank, const DraftRaise& raise) {
    const int gate = gates_[static_cast<std::size_t>(rank)];
    stray_.push_back({gate, raise});
    return {gate, kAtEnd};
  }

  // The first touch of each rank's memory by a lane waits for that rank's gate, which tells each peer once.
  void open() {
    std::map<std::pair<int, int>, DraftRaise> opened;           // by owner and peer
    std::map<int, std::vector<DraftOp>> openings;               // by owner
    std::map<int, std::map<int, std::vector<DraftOp>>> before;  // by lane and op
    for (const auto& [place, owner] : first_touches_) {
      const int peer = rank_of(place.lane);
      const auto [entry, is_new] = opened.try_emplace({owner, peer});
      if (is_new) {
        entry->second = draft_.add_raise(draft_.add_word("open.from" + std::to_string(owner), peer));
        openings[owner].push_back(signal_of(peer, entry->second));
      }
      before[place.lane][place.op].push_back(wait_for(entry->second));
    }
    for (auto& [lane, waits] : before) insert(draft_.lane(lane).ops, waits);
    for (auto& [owner, signals] : openings) {
      std::vector<DraftOp>& gate = draft_.lane(gates_[static_cast<std::size_t>(owner)]).ops;
      gate.insert(gate.begin(), signals.begin(), signals.end());
    }
    for (const auto& [gate, raise] : stray_) draft_.append(gate, wait_for(raise));
  }

  static void insert(std::vector<DraftOp>& ops, std::map<int, std::vector<DraftOp>>& before) {
    std::vector<DraftOp> all;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const auto found = before.find(static_cast<int>(i));
      if (found != before.end()) all.insert(all.end(), found->second.begin(), found->second.end());
      all.push_back(std::move(ops[i]));
    }
    ops = std::move(all);
  }

  // At its end each lane tells those that must know; gates too, before they wait.
  void close() {
    std::vector<std::pair<int, DraftRaise>> waits;  // gate, and what it waits for
    for (const auto& [lane, rank] : done_) {
      const std::string from = draft_.lane(lane).name + ".from" + std::to_string(rank_of(lane));
      const DraftRaise done = draft_.add_raise(draft_.add_word("done." + from, rank));
      draft_.append(lane, signal_of(rank, done));
      waits.push_back({gates_[static_cast<std::size_t>(rank)], done});
    }
    for (const auto& [gate, done] : waits) draft_.append(gate, wait_for(done));
  }

  Draft& draft_;
  Handshaking signs_;
  std::vector<int> gates_;                                 // by rank: the lane
  std::set<std::pair<int, int>> heard_;                    // lane, and a rank that it knows to have begun its run
  std::vector<std::pair<DraftPlace, int>> first_touches_;  // by a lane of memory of a rank that it has not heard of
  std::vector<std::pair<int, DraftRaise>> stray_;          // gate, and an increment that nobody awaits
  std::set<std::pair<int, int>> done_;                     // lane, and a rank that it must tell at its end
};

}  // namespace

void keep_runs_apart(Draft& draft) { RunSeparator(draft).run(); }

}  // namespace meshmul
