#pragma once
// The event table of docs/schedule-ir.md as one walk over an op, without lists of its own. `effects_of` and
// `raises_of` collect from it; who looks at the regions of millions of ops asks here.

#include <optional>
#include <utility>
#include <variant>

#include "effects.hpp"

namespace meshmul {

/// Tells `Sink` what an op does when it stands in a lane of `rank`, each in the order of Effects: reads(region),
/// writes(region), raises(raise), waits(wait). Regions are those of the op itself, and not empty.
template <class Sink>
class EffectTable {
 public:
  EffectTable(int rank, Sink& sink) : rank_(rank), sink_(sink) {}

  // One overload an op: a new op does not compile until it has its row of the table.
  void operator()(const Put& op) const {
    reads(op.src);
    writes(op.dst);
    if (op.sent) sink_.raises({rank_, *op.sent, Event::kReadDone});
    sink_.raises({op.dst.rank, op.arrived, Event::kWriteVisible});
  }
  void operator()(const Get& op) const {
    reads(op.src);
    writes(op.dst);
    if (op.taken) sink_.raises({op.src.rank, *op.taken, Event::kReadDone});
    sink_.raises({rank_, op.arrived, Event::kWriteVisible});
  }
  void operator()(const Signal& op) const { sink_.raises({op.peer, op.signal, Event::kWriteVisible}); }
  void operator()(const Wait& op) const { sink_.waits(op); }
  void operator()(const Copy& op) const {
    reads(op.src);
    writes(op.dst);
    raises_when_done(op.dst, op.arrived);
  }
  void operator()(const Reduce& op) const {
    reads(op.src);
    reads(op.dst);
    writes(op.dst);
    raises_when_done(op.dst, op.arrived);
  }
  void operator()(const Gemm& op) const {
    reads(op.a);
    reads(op.b);
    if (op.accumulate) reads(op.c);
    writes(op.c);
    raises_when_done(op.c, op.arrived);
  }
  void operator()(const Map& op) const {
    for (const Region& src : op.srcs) reads(src);
    writes(op.dst);
    raises_when_done(op.dst, op.arrived);
  }

 private:
  // An op on an empty box touches nothing.
  void reads(const Region& region) const {
    if (!region.box.empty()) sink_.reads(region);
  }
  void writes(const Region& region) const {
    if (!region.box.empty()) sink_.writes(region);
  }
  void raises_when_done(const Region& dst, const std::optional<int>& arrived) const {
    if (arrived) sink_.raises({dst.rank, *arrived, Event::kWriteVisible});
  }

  int rank_;
  Sink& sink_;
};

template <class Sink>
void walk_effects(const Op& op, int rank, Sink& sink) {
  std::visit(EffectTable<Sink>(rank, sink), op);
}

}  // namespace meshmul
