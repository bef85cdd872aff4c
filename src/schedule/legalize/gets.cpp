#include <map>
#include <string>
#include <utility>

#include "../capabilities.hpp"
#include "../op_regions.hpp"
#include "passes.hpp"

namespace meshmul {
namespace {

// What a lane has asked of one owner.
struct Asked {
  int word = 0;  // at the owner
  int serving_lane = 0;
  int num_steps_known = 0;  // how much of the asking lane the owner knows to be over
};

// Rewrites the gets of one lane.
class GetRewriter {
 public:
  GetRewriter(Draft& draft, int lane, const Capabilities& available)
      : draft_(draft), lane_(lane), rank_(draft.lane(lane).rank), available_(available) {}

  void run() {
    std::vector<DraftOp> ops = std::move(draft_.lane(lane_).ops);
    draft_.lane(lane_).ops.clear();
    for (DraftOp& op : ops) {
      const auto* get = std::get_if<Get>(&op.op);
      if (get != nullptr && must_serve(*get)) {
        ask(*get, op);
      } else {
        // A put or get under way tells nothing to anybody, so only the other ops are worth telling of.
        if (!is_put_or_get(op.op)) ++num_steps_;
        draft_.append(lane_, std::move(op));
      }
    }
  }

 private:
  bool must_serve(const Get& get) const {
    return !available_.get || (!available_.strided && !is_contiguous(get.src.box, draft_.buffer(get.src).shape));
  }

  void ask(const Get& get, const DraftOp& op) {
    Asked& asked = asked_of(get.src.rank);
    if (asked.num_steps_known < num_steps_) {
      asked.num_steps_known = num_steps_;
      const DraftRaise request = draft_.add_raise(asked.word);
      draft_.append(lane_, signal_of(get.src.rank, request));
      draft_.append(asked.serving_lane, wait_for(request));
    }
    draft_.append(asked.serving_lane, {Put{get.dst, get.src, 0, {}}, op.arrived, op.read_done, {}});
  }

  Asked& asked_of(int owner) {
    const auto [found, is_new] = asked_.try_emplace(owner);
    if (is_new) {
      const std::string from = draft_.lane(lane_).name + ".from" + std::to_string(rank_);
      found->second = {draft_.add_word("asked." + from, owner), draft_.find_lane(owner, "serve." + from), 0};
    }
    return found->second;
  }

  Draft& draft_;
  int lane_;
  int rank_;
  const Capabilities& available_;
  int num_steps_ = 0;           // synchronous ops and waits so far
  std::map<int, Asked> asked_;  // by owner
};

}  // namespace

void serve_gets(Draft& draft, const Capabilities& available) {
  const int num_lanes = draft.num_lanes();  // the serving lanes that come behind have no gets
  for (int lane = 0; lane < num_lanes; ++lane) GetRewriter(draft, lane, available).run();
}

}  // namespace meshmul
