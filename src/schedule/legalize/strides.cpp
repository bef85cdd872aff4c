#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "../capabilities.hpp"
#include "../op_regions.hpp"
#include "passes.hpp"

namespace meshmul {
namespace {

using Form = std::tuple<Dtype, Shape>;

// Staging memory that the transfers of one lane fill one after the other.
struct Staging {
  Region region;
  int uses_left = 0;
  std::optional<DraftRaise> free;  // the last use is over
};

// How many lanes unpack boxes of a form at a rank: each has staging memory of its own.
using SenderCounts = std::map<std::tuple<int, Form>, int>;

// Rewrites the puts and gets of one lane.
class TransferRewriter {
 public:
  TransferRewriter(Draft& draft, int lane, SenderCounts& num_senders)
      : draft_(draft),
        lane_(lane),
        rank_(draft.lane(lane).rank),
        name_(draft.lane(lane).name),
        num_senders_(num_senders) {}

  void run() {
    std::vector<DraftOp> ops = std::move(draft_.lane(lane_).ops);
    draft_.lane(lane_).ops.clear();
    for (const DraftOp& op : ops)
      if (is_put_or_get(op.op)) plan_staging(op.op);
    for (DraftOp& op : ops) {
      if (!is_put_or_get(op.op)) {
        draft_.append(lane_, std::move(op));
        continue;
      }
      if (is_strided(sources(op.op).front())) pack_source(op);
      if (is_strided(destination(op.op)))
        unpack_destination(std::move(op));
      else
        draft_.append(lane_, std::move(op));
    }
  }

 private:
  bool is_strided(const Region& region) const { return !is_contiguous(region.box, draft_.buffer(region).shape); }
  Form form_of(const Region& region) const { return {draft_.buffer(region).dtype, region.box.shape()}; }

  void plan_staging(const Op& op) {
    const Region src = sources(op).front();
    const Region dst = destination(op);
    if (is_strided(src)) use_later(packed_[form_of(src)], src, "pack." + name_);
    if (!is_strided(dst)) return;
    Staging& staging = unpacked_[{dst.rank, form_of(dst)}];
    const int sender = staging.uses_left > 0 ? 0 : num_senders_[{dst.rank, form_of(dst)}]++;
    use_later(staging, dst, "unpack" + std::to_string(sender));
  }

  void use_later(Staging& staging, const Region& like, const std::string& name) {
    if (staging.uses_left++ > 0) return;
    const Box box = like.box.at_origin();
    staging.region = {like.rank, draft_.shared_buffer(name, draft_.buffer(like).dtype, box.shape()), box};
  }

  void claim(Staging& staging) {
    if (staging.free) draft_.append(lane_, wait_for(*staging.free));
    --staging.uses_left;
  }

  // Copies the source of a put to staging memory, which is free again once the bytes have been sent.
  void pack_source(DraftOp& op) {
    Region& src = std::get<Put>(op.op).src;
    Staging& staging = packed_.at(form_of(src));
    claim(staging);
    draft_.append(lane_, {Copy{staging.region, src, {}, {}}, {}, {}, {}});
    src = staging.region;
    if (staging.uses_left == 0) return;
    if (!op.read_done) op.read_done = draft_.add_raise(draft_.add_word("pack.sent." + name_, rank_));
    staging.free = op.read_done;
  }

  // Sends to staging memory beside the destination. A lane there copies out, and only then raises what the op raised.
  void unpack_destination(DraftOp op) {
    const Region dst = destination(op.op);
    Staging& staging = unpacked_.at({dst.rank, form_of(dst)});
    claim(staging);
    const std::string from = name_ + ".from" + std::to_string(rank_);
    const DraftRaise came = draft_.add_raise(draft_.add_word("unpack.arrived." + from, dst.rank));
    const DraftRaise unpacked = *std::exchange(op.arrived, came);
    destination(op.op) = staging.region;
    draft_.append(lane_, std::move(op));

    const int lane = draft_.find_lane(dst.rank, "unpack." + from);
    draft_.append(lane, wait_for(came));
    draft_.append(lane, {Copy{dst, staging.region, {}, {}}, {}, {}, {}});
    draft_.append(lane, signal_of(dst.rank, unpacked));
    if (staging.uses_left == 0) return;
    staging.free =
        draft_.add_raise(draft_.add_word("unpack.free." + name_ + ".from" + std::to_string(dst.rank), rank_));
    draft_.append(lane, signal_of(rank_, *staging.free));
  }

  Draft& draft_;
  int lane_;
  int rank_;
  std::string name_;
  SenderCounts& num_senders_;
  std::map<Form, Staging> packed_;
  std::map<std::tuple<int, Form>, Staging> unpacked_;  // by rank of the destination
};

}  // namespace

void pack_strided(Draft& draft) {
  SenderCounts num_senders;
  const int num_lanes = draft.num_lanes();  // the unpacking lanes that come behind have no transfers
  for (int lane = 0; lane < num_lanes; ++lane) TransferRewriter(draft, lane, num_senders).run();
}

}  // namespace meshmul
