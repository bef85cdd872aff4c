#include "effects.hpp"

namespace meshmul {
namespace {

// One overload an op: a new op does not compile until it has its row of the table.
struct Table {
  int rank;
  Effects effects;

  // An op on an empty box touches nothing.
  void reads(const Region& region) {
    if (!region.box.empty()) effects.reads.push_back(region);
  }
  void writes(const Region& region) {
    if (!region.box.empty()) effects.writes.push_back(region);
  }
  void raises(int at, int signal, Event event) { effects.raises.push_back({at, signal, event}); }
  void raises_when_done(const Region& dst, const std::optional<int>& arrived) {
    if (arrived) raises(dst.rank, *arrived, Event::kWriteVisible);
  }

  void operator()(const Put& op) {
    effects.asynchronous = true;
    reads(op.src);
    writes(op.dst);
    if (op.sent) raises(rank, *op.sent, Event::kReadDone);
    raises(op.dst.rank, op.arrived, Event::kWriteVisible);
  }
  void operator()(const Get& op) {
    effects.asynchronous = true;
    reads(op.src);
    writes(op.dst);
    if (op.taken) raises(op.src.rank, *op.taken, Event::kReadDone);
    raises(rank, op.arrived, Event::kWriteVisible);
  }
  void operator()(const Signal& op) { raises(op.peer, op.signal, Event::kWriteVisible); }
  void operator()(const Wait& op) { effects.wait = op; }
  void operator()(const Copy& op) {
    reads(op.src);
    writes(op.dst);
    raises_when_done(op.dst, op.arrived);
  }
  void operator()(const Reduce& op) {
    reads(op.src);
    reads(op.dst);
    writes(op.dst);
    raises_when_done(op.dst, op.arrived);
  }
  void operator()(const Gemm& op) {
    reads(op.a);
    reads(op.b);
    if (op.accumulate) reads(op.c);
    writes(op.c);
    raises_when_done(op.c, op.arrived);
  }
  void operator()(const Map& op) {
    for (const Region& src : op.srcs) reads(src);
    writes(op.dst);
    raises_when_done(op.dst, op.arrived);
  }
};

}  // namespace

Effects effects_of(const Op& op, int rank) {
  Table table{rank, {}};
  std::visit(table, op);
  return std::move(table.effects);
}

}  // namespace meshmul
