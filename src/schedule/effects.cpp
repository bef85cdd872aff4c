#include "effects.hpp"

#include "effect_table.hpp"
#include "op_regions.hpp"

namespace meshmul {
namespace {

struct AllEffects {
  Effects effects;

  void reads(const Region& region) { effects.reads.push_back(region); }
  void writes(const Region& region) { effects.writes.push_back(region); }
  void raises(const Raise& raise) { effects.raises.push_back(raise); }
  void waits(const Wait& wait) { effects.wait = wait; }
};

struct RaisesAlone {
  Raises all;

  void reads(const Region&) {}
  void writes(const Region&) {}
  void raises(const Raise& raise) { all.push_back(raise); }
  void waits(const Wait&) {}
};

}  // namespace

Raises raises_of(const Op& op, int rank) {
  RaisesAlone sink;
  walk_effects(op, rank, sink);
  return sink.all;
}

Effects effects_of(const Op& op, int rank) {
  AllEffects sink;
  walk_effects(op, rank, sink);
  sink.effects.asynchronous = is_put_or_get(op);
  return std::move(sink.effects);
}

}  // namespace meshmul
