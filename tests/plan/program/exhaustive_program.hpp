#pragma once
// A planner of programs that shares no code with src/plan: it tries every sharding of every array, one after the other,
// walks loops pass by pass, and asks the exhaustive planner of single statements what each takes.

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "meshmul/layout.hpp"
#include "meshmul/program.hpp"
#include "plan/exhaustive/places.hpp"
#include "plan/exhaustive/planner.hpp"

namespace meshmul::testing {

class ExhaustiveProgram {
 public:
  /// The first place that the mesh has on the hardware is the one that it is taken to have.
  ExhaustiveProgram(Program program, Mesh mesh, const Hardware& hardware, const CostSettings& settings)
      : program_(std::move(program)),
        mesh_(std::move(mesh)),
        prices_(hardware, settings, Places::of(mesh_, hardware, settings.topology).front()) {
    for (const ValueId given : inputs(program_)) given_.insert(given);
    lay_out();
  }

  struct Best {
    double seconds = std::numeric_limits<double>::infinity();  ///< of the fastest way that fits; infinity if none does
    double least_bytes = std::numeric_limits<double>::infinity();  ///< of the smallest
  };

  /// Over all shardings of all open arrays.
  Best best(double memory_limit) {
    Best found;
    try_shardings(0, memory_limit, found);
    return found;
  }

 private:
  enum class Kind { kStatement, kEnter, kNext };
  /// A statement as it happens: arrays are numbered by when they are made, given ones by their values.
  struct Event {
    Kind kind = Kind::kStatement;
    const ProgramStatement* statement = nullptr;
    std::vector<Use> uses;
    ValueId result = 0;
    std::vector<int> reads;  // arrays
    int makes = 0;
  };

  void lay_out() {
    for (std::size_t value = 0; value < program_.values.size(); ++value) array_of_.push_back(num_arrays_++);
    for (const ProgramItem& item : program_.items) {
      if (const auto* statement = std::get_if<ProgramStatement>(&item)) {
        happen(*statement);
        continue;
      }
      const auto& loop = std::get<Repeat>(item);
      for (std::int64_t pass = 0; pass < loop.count; ++pass) {
        for (const Carry& carry : loop.carries)
          happen(pass == 0 ? Kind::kEnter : Kind::kNext, pass == 0 ? carry.before : carry.end, carry.begin);
        for (const ProgramStatement& statement : loop.body) happen(statement);
      }
      for (const Carry& carry : loop.carries)
        array_of_[static_cast<std::size_t>(carry.after)] = array_of_[static_cast<std::size_t>(carry.end)];
    }
    for (const ValueId output : outputs(program_))
      last_read_[array_of_[static_cast<std::size_t>(output)]] = events_.size();
  }

  void happen(const ProgramStatement& statement) {
    add({Kind::kStatement, &statement, uses(statement), results(statement).front(), {}, 0});
  }
  void happen(Kind kind, ValueId from, ValueId to) { add({kind, nullptr, {{from, false}}, to, {}, 0}); }
  void add(Event event) {
    for (const Use& use : event.uses) {
      event.reads.push_back(array_of_[static_cast<std::size_t>(use.value)]);
      last_read_[event.reads.back()] = events_.size();
    }
    event.makes = array_of_[static_cast<std::size_t>(event.result)] = num_arrays_++;
    events_.push_back(std::move(event));
  }

  // ---- Shardings ------------------------------------------------------------------------------------------------

  void try_shardings(std::size_t value, double memory_limit, Best& found) {
    if (value == program_.values.size()) return judge(memory_limit, found);
    Value& at = program_.values[value];
    if (!at.type.open) return try_shardings(value + 1, memory_limit, found);
    const ArrayType open = at.type;
    at.type.open = false;
    if (at.like) {
      const ArrayType& other = program_.value(*at.like).type;
      at.type.sharding = alike(other, open);
      try_shardings(value + 1, memory_limit, found);
    } else {
      for_each_sharding(0, at.type.sharding, [&] { try_shardings(value + 1, memory_limit, found); });
    }
    at.type = open;
  }

  /// `type` cut as `other` is, index by index.
  static Sharding alike(const ArrayType& other, const ArrayType& type) {
    Sharding sharding = Sharding::replicated(type.num_dims());
    sharding.unreduced = other.sharding.unreduced;
    for (std::size_t d = 0; d < type.dims.size(); ++d)
      for (std::size_t o = 0; o < other.dims.size(); ++o)
        if (type.dims[d].index == other.dims[o].index) sharding.dims[d] = other.sharding.dims[o];
    return sharding;
  }

  /// Every mesh axis in turn goes nowhere, or into any place of any dimension.
  template <class F>
  void for_each_sharding(int axis, Sharding& sharding, F&& f) {
    if (axis == mesh_.num_axes()) return f();
    for_each_sharding(axis + 1, sharding, f);
    for (std::vector<int>& dim : sharding.dims)
      for (std::size_t place = 0; place <= dim.size(); ++place) {
        dim.insert(dim.begin() + static_cast<std::ptrdiff_t>(place), axis);
        for_each_sharding(axis + 1, sharding, f);
        dim.erase(dim.begin() + static_cast<std::ptrdiff_t>(place));
      }
  }

  // ---- Costs ----------------------------------------------------------------------------------------------------

  void judge(double memory_limit, Best& found) {
    for (const Event& event : events_)
      for (const Use& use : event.uses)
        if (use.sliced && !program_.value(use.value).type.sharding.dims[0].empty()) return;
    double seconds = 0;
    double least_peak = 0;
    for (std::size_t e = 0; e < events_.size(); ++e) {
      const Front& ways = ways_of(events_[e]);
      const double others = others_bytes(e);
      double fastest = std::numeric_limits<double>::infinity();
      double least = std::numeric_limits<double>::infinity();
      for (const Cost& way : ways) {
        least = std::min(least, others + way.bytes);
        if (others + way.bytes <= memory_limit) fastest = std::min(fastest, way.seconds());
      }
      seconds += fastest;
      least_peak = std::max(least_peak, least);
    }
    found.seconds = std::min(found.seconds, seconds);
    found.least_bytes = std::min(found.least_bytes, least_peak);
  }

  double bytes(const ArrayType& type) const { return static_cast<double>(max_local_bytes(type, mesh_)); }

  /// Everything in memory while `e` happens, without what its statement counts itself.
  double others_bytes(std::size_t e) {
    double total = 0;
    for (const ValueId value : given_) total += bytes(program_.value(value).type);
    for (std::size_t made = 0; made < e; ++made) {
      const auto last = last_read_.find(events_[made].makes);
      if (last != last_read_.end() && last->second >= e) total += bytes(program_.value(events_[made].result).type);
    }
    for (const Use& use : events_[e].uses) total -= bytes(type_of(program_, use));
    return total;
  }

  const Front& ways_of(const Event& event) {
    std::vector<ArrayType> types;
    for (const Use& use : event.uses) types.push_back(type_of(program_, use));
    types.push_back(program_.value(event.result).type);
    Key key{event.kind, event.statement, {}};
    for (const ArrayType& type : types) key.shardings.push_back(type.sharding.dims);
    const auto [known, is_new] = ways_.try_emplace(key);
    if (is_new) known->second = computed_ways(event, types);
    return known->second;
  }

  Front computed_ways(const Event& event, const std::vector<ArrayType>& types) {
    const ArrayType& result = types.back();
    const auto* map = event.statement == nullptr ? nullptr : std::get_if<MapStatement>(event.statement);
    const bool is_change = event.statement == nullptr ||
                           (map != nullptr && map->function == MapFunction::kConvert && types[0].dtype == result.dtype);
    const ArrayType& second = types[types.size() - 2];
    const Dtype wire_dtype = is_change || map != nullptr ? result.dtype : product_dtype(types[0].dtype);
    Exhaustive& planner =
        planners_
            .try_emplace({event.statement, event.result}, Product{types[0], second, result}, mesh_, prices_, wire_dtype)
            .first->second;
    planner.reshard(types[0].sharding, second.sharding, result.sharding);
    if (!is_change) return map != nullptr ? planner.elementwise(types.size() == 3) : planner.ways();
    const Sharding from = alike(types[0], result);
    if (event.kind == Kind::kNext && from == result.sharding) return {{0, 0, bytes(result)}};
    return planner.change({from});
  }

  struct Key {
    Kind kind;
    const ProgramStatement* statement;
    std::vector<std::vector<std::vector<int>>> shardings;
    auto operator<=>(const Key&) const = default;
  };

  Program program_;
  Mesh mesh_;
  Prices prices_;
  std::set<ValueId> given_;
  std::vector<Event> events_;
  int num_arrays_ = 0;
  std::vector<int> array_of_;             // by value: the last one of it
  std::map<int, std::size_t> last_read_;  // by array: the event, or past the end for outputs
  std::map<Key, Front> ways_;
  std::map<std::pair<const ProgramStatement*, ValueId>, Exhaustive> planners_;  // by statement and result
};

}  // namespace meshmul::testing
