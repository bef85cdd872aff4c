#include <algorithm>
#include <map>
#include <utility>

#include "../capabilities.hpp"
#include "../effects.hpp"
#include "../op_regions.hpp"
#include "passes.hpp"

namespace meshmul {
namespace {

// True if a copy changes neither the order of the elements nor their dtype, so that a transfer can do it.
bool is_plain_copy(const Op& op, const Draft& draft) {
  const auto* copy = std::get_if<Copy>(&op);
  return copy != nullptr && copy->permutation.empty() && draft.buffer(copy->dst).dtype == draft.buffer(copy->src).dtype;
}

class LaneRewriter {
 public:
  LaneRewriter(Draft& draft, int lane) : draft_(draft), lane_(lane), rank_(draft.lane(lane).rank) {}

  void run() {
    std::vector<DraftOp> ops = std::move(draft_.lane(lane_).ops);
    draft_.lane(lane_).ops.clear();
    for (DraftOp& op : ops) {
      if (must_follow_writes(op)) await_writes();
      if (needs_addressable(op.op, rank_))
        rewrite(std::move(op));
      else
        draft_.append(lane_, std::move(op));
    }
    await_writes();
  }

 private:
  // Whoever sees a raise may rely on what this lane wrote before; a later op may touch the same memory.
  bool must_follow_writes(const DraftOp& op) const {
    if (op.arrived || op.read_done || needs_addressable(op.op, rank_)) return true;
    const Effects effects = effects_of(op.op, rank_);
    return std::any_of(effects.writes.begin(), effects.writes.end(), [this](const Region& written) {
      return std::any_of(being_sent_.begin(), being_sent_.end(), [&](const Region& src) {
        return src.buffer == written.buffer && overlap(src.box, written.box);
      });
    });
  }

  void rewrite(DraftOp op) {
    const Region dst = destination(op.op);
    if (is_plain_copy(op.op, draft_)) {
      const Region src = sources(op.op).front();
      if (dst.rank == rank_ && src.rank != rank_ && !op.arrived) return fetch(dst, src);
      if (dst.rank != rank_ && src.rank == rank_) return send(dst, src, op.arrived);
    }
    int operand = 0;
    for (Region& src : sources(op.op)) {
      ++operand;
      if (src.rank == rank_) continue;
      const Region staged = staging(operand, src);
      fetch(staged, src);
      src = staged;
    }
    const std::optional<DraftRaise> arrived = std::exchange(op.arrived, std::nullopt);
    clear_arrived(op.op);
    if (dst.rank == rank_) {
      draft_.append(lane_, std::move(op));
      if (arrived) draft_.append(lane_, signal_of(rank_, *arrived));
      return;
    }
    const Region staged = staging(0, dst);
    if (reads_destination(op.op)) fetch(staged, dst);
    destination(op.op) = staged;
    draft_.append(lane_, std::move(op));
    send(dst, staged, arrived);
  }

  // Reads a peer's region into `dst`, and waits for it.
  void fetch(const Region& dst, const Region& src) {
    const DraftRaise arrived = draft_.add_raise(word("fetched", rank_, rank_));
    draft_.append(lane_, {Get{dst, src, 0, {}}, arrived, {}, {}});
    draft_.append(lane_, wait_for(arrived));
  }

  // Writes `src` to a peer. The bytes are visible there only once the peer says so: see await_writes.
  void send(const Region& dst, const Region& src, std::optional<DraftRaise> arrived) {
    if (!arrived) arrived = draft_.add_raise(word("written", dst.rank, rank_));
    draft_.append(lane_, {Put{dst, src, 0, {}}, arrived, {}, {}});
    unconfirmed_[dst.rank].push_back(*arrived);
    being_sent_.push_back(src);
  }

  // A synchronous op is over before the next one of its lane that matters; a put is not. So each peer that was written
  // to confirms, in a lane of its own.
  void await_writes() {
    for (const auto& [peer, raises] : unconfirmed_) {
      const int confirm = draft_.find_lane(peer, "confirm." + lane_name() + ".from" + std::to_string(rank_));
      for (const DraftRaise& raise : raises) draft_.append(confirm, wait_for(raise));
      const DraftRaise confirmed = draft_.add_raise(word("confirmed", rank_, peer));
      draft_.append(confirm, signal_of(rank_, confirmed));
      draft_.append(lane_, wait_for(confirmed));
    }
    unconfirmed_.clear();
    being_sent_.clear();
  }

  const std::string& lane_name() const { return draft_.lane(lane_).name; }

  // The word of `what` at `rank` that a lane of `writer` raises for this lane.
  int word(const std::string& what, int rank, int writer) {
    std::string name = what + "." + lane_name();
    if (writer != rank) name += ".from" + std::to_string(writer);
    const auto [found, is_new] = words_.try_emplace({name, rank}, 0);
    if (is_new) found->second = draft_.add_word(name, rank);
    return found->second;
  }

  // Memory of this rank for operand number `operand` (0: the destination) of an op of this lane. Ops of a lane follow
  // one another, so those with equal shapes share it.
  Region staging(int operand, const Region& like) {
    const Box box = like.box.at_origin();
    const std::string name = "stage." + lane_name() + (operand == 0 ? ".dst" : ".src" + std::to_string(operand));
    const int number = draft_.shared_buffer(name, draft_.buffer(like).dtype, box.shape());
    return {rank_, number, box};
  }

  Draft& draft_;
  int lane_;
  int rank_;
  std::map<std::pair<std::string, int>, int> words_;
  std::map<int, std::vector<DraftRaise>> unconfirmed_;  // by peer: arrivals there
  std::vector<Region> being_sent_;                      // what those puts read
};

}  // namespace

void keep_touches_local(Draft& draft) {
  const int num_lanes = draft.num_lanes();  // the lanes that rewriting adds have nothing to rewrite
  for (int lane = 0; lane < num_lanes; ++lane) LaneRewriter(draft, lane).run();
}

}  // namespace meshmul
