#include "effects.hpp"

namespace meshmul {
namespace {

// One overload an op: a new op does not compile until it has its row of the table.
struct RaiseTable {
  int rank;
  Raises raises;

  void add(int at, int signal, Event event) { raises.push_back({at, signal, event}); }
  void when_done(const Region& dst, const std::optional<int>& arrived) {
    if (arrived) add(dst.rank, *arrived, Event::kWriteVisible);
  }

  void operator()(const Put& op) {
    if (op.sent) add(rank, *op.sent, Event::kReadDone);
    add(op.dst.rank, op.arrived, Event::kWriteVisible);
  }
  void operator()(const Get& op) {
    if (op.taken) add(op.src.rank, *op.taken, Event::kReadDone);
    add(rank, op.arrived, Event::kWriteVisible);
  }
  void operator()(const Signal& op) { add(op.peer, op.signal, Event::kWriteVisible); }
  void operator()(const Wait&) {}
  void operator()(const Copy& op) { when_done(op.dst, op.arrived); }
  void operator()(const Reduce& op) { when_done(op.dst, op.arrived); }
  void operator()(const Gemm& op) { when_done(op.c, op.arrived); }
  void operator()(const Map& op) { when_done(op.dst, op.arrived); }
};

struct AccessTable {
  Effects effects;

  // An op on an empty box touches nothing.
  void reads(const Region& region) {
    if (!region.box.empty()) effects.reads.push_back(region);
  }
  void writes(const Region& region) {
    if (!region.box.empty()) effects.writes.push_back(region);
  }

  void operator()(const Put& op) {
    effects.asynchronous = true;
    reads(op.src);
    writes(op.dst);
  }
  void operator()(const Get& op) {
    effects.asynchronous = true;
    reads(op.src);
    writes(op.dst);
  }
  void operator()(const Signal&) {}
  void operator()(const Wait& op) { effects.wait = op; }
  void operator()(const Copy& op) {
    reads(op.src);
    writes(op.dst);
  }
  void operator()(const Reduce& op) {
    reads(op.src);
    reads(op.dst);
    writes(op.dst);
  }
  void operator()(const Gemm& op) {
    reads(op.a);
    reads(op.b);
    if (op.accumulate) reads(op.c);
    writes(op.c);
  }
  void operator()(const Map& op) {
    for (const Region& src : op.srcs) reads(src);
    writes(op.dst);
  }
};

}  // namespace

Raises raises_of(const Op& op, int rank) {
  RaiseTable table{rank, {}};
  std::visit(table, op);
  return table.raises;
}

Effects effects_of(const Op& op, int rank) {
  AccessTable table;
  std::visit(table, op);
  const Raises raises = raises_of(op, rank);
  table.effects.raises.assign(raises.begin(), raises.end());
  return std::move(table.effects);
}

}  // namespace meshmul
