#pragma once
// A planner that shares no code with src/plan: it makes moves as they are defined, prices them from the text of
// docs/cost-model.md, and walks every chain of them. For meshes of one or two axes.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/layout.hpp"
#include "meshmul/plan.hpp"

namespace meshmul::testing {

class Exhaustive {
 public:
  /// What a chain costs: nothing beats it in both.
  struct Cost {
    double seconds = 0;
    double bytes = 0;
  };
  using Front = std::vector<Cost>;

  Exhaustive(const Product& product, Mesh mesh, Hardware hardware, Dtype wire_dtype)
      : product_(product), mesh_(std::move(mesh)), hardware_(std::move(hardware)), wire_dtype_(wire_dtype) {}

  /// Goes on with the same arrays under other shardings; what is known of chains of moves is kept.
  void reshard(const Sharding& a, const Sharding& b, const Sharding& c) {
    product_.a.sharding = a;
    product_.b.sharding = b;
    product_.c.sharding = c;
  }

  /// All ways to apply a function elementwise to a, or to a and b, that nothing beats. c has all the indices. Partial sums
  /// are completed before; so is c.
  Front elementwise(bool has_b) const {
    const Table& a = chains_from(product_.a, from_a_);
    const Table& b = has_b ? chains_from(product_.b, from_b_) : a;
    Front all;
    for (const Sharding& at : shardings(product_.c.num_dims())) {
      const auto alike = [&](const ArrayType& array) {
        Sharding sharding;
        for (const Dim& dim : array.dims)
          for (std::size_t d = 0; d < at.dims.size(); ++d)
            if (product_.c.dims[d].index == dim.index) sharding.dims.push_back(at.dims[d]);
        return sharding;
      };
      const Sharding in_a = alike(product_.a);
      const Sharding in_b = alike(product_.b);
      double bytes = local_bytes(product_.a, in_a) + local_bytes(product_.c, at);
      if (has_b) bytes += local_bytes(product_.b, in_b);
      for (const Cost& x : a.at(key(in_a)))
        for (const Cost& y : has_b ? b.at(key(in_b)) : Front{{}})
          for (const Cost& z : chains_to_output(at))
            add(all, {x.seconds + y.seconds + bytes / hardware_.chip.memory_bytes_per_second + z.seconds,
                      local_bytes(product_.a, product_.a.sharding) +
                          (has_b ? local_bytes(product_.b, product_.b.sharding) : 0) + x.bytes + y.bytes +
                          local_bytes(product_.c, at) + z.bytes});
    }
    return all;
  }

  /// All chains of moves that lead from `from` to c, the same array under another sharding. Where nothing moves, c is a
  /// copy.
  Front change(const Sharding& from) const {
    Front all;
    for (const Cost& chain : chains_to_output(from)) {
      const double before = local_bytes(product_.c, from);
      add(all, {chain.seconds, before + (chain.bytes > 0 ? chain.bytes : before)});
    }
    return all;
  }

  /// All ways to do the product that nothing beats, by bytes of memory.
  Front ways() const {
    const Table& a = chains_from(product_.a, from_a_);
    const Table& b = chains_from(product_.b, from_b_);
    std::vector<std::string> indices;
    for (const ArrayType* array : {&product_.a, &product_.b})
      for (const Dim& dim : array->dims)
        if (std::find(indices.begin(), indices.end(), dim.index) == indices.end()) indices.push_back(dim.index);

    Front all;
    for (const Sharding& layout : shardings(static_cast<int>(indices.size()))) {
      const auto cut = [&](const std::string& index) {
        return layout
            .dims[static_cast<std::size_t>(std::find(indices.begin(), indices.end(), index) - indices.begin())];
      };
      const auto operand = [&](const ArrayType& array, std::vector<int> unreduced) {
        Sharding sharding{{}, std::move(unreduced)};
        for (const Dim& dim : array.dims) sharding.dims.push_back(cut(dim.index));
        return sharding;
      };
      std::vector<int> summed;
      double multiplications = 1;
      for (const std::string& index : indices) {
        multiplications *= static_cast<double>(ceil_div(size_of(index), mesh_.size(cut(index))));
        if (!has(product_.c, index))
          for (const int axis : cut(index)) summed.push_back(axis);
      }
      for (const auto& [through_a, through_b] : pass_throughs(layout)) {
        const Sharding in_a = operand(product_.a, through_a);
        const Sharding in_b = operand(product_.b, through_b);
        std::vector<int> partial = summed;
        partial.insert(partial.end(), through_a.begin(), through_a.end());
        partial.insert(partial.end(), through_b.begin(), through_b.end());
        std::sort(partial.begin(), partial.end());
        const Sharding out_c = operand(product_.c, partial);
        if (!a.contains(key(in_a)) || !b.contains(key(in_b))) continue;
        const double bytes =
            local_bytes(product_.a, in_a) + local_bytes(product_.b, in_b) + local_bytes(product_.c, out_c);
        const double seconds = std::max(2 * multiplications / flops_per_second(hardware_, product_.a.dtype),
                                        bytes / hardware_.chip.memory_bytes_per_second);
        for (const Cost& x : a.at(key(in_a)))
          for (const Cost& y : b.at(key(in_b)))
            for (const Cost& z : chains_to_output(out_c))
              add(all, {x.seconds + y.seconds + seconds + z.seconds,
                        local_bytes(product_.a, product_.a.sharding) + local_bytes(product_.b, product_.b.sharding) +
                            x.bytes + y.bytes + local_bytes(product_.c, out_c) + z.bytes});
      }
    }
    return all;
  }

 private:
  using Key = std::pair<std::vector<std::vector<int>>, std::vector<int>>;
  using Table = std::map<Key, Front>;
  struct Step {
    Sharding to;
    double seconds = 0;
    bool is_slice = false;
  };

  static Key key(const Sharding& s) { return {s.dims, s.unreduced}; }
  static std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
  static bool has(const ArrayType& array, const std::string& index) {
    return std::any_of(array.dims.begin(), array.dims.end(), [&](const Dim& dim) { return dim.index == index; });
  }
  std::int64_t size_of(const std::string& index) const {
    for (const ArrayType* array : {&product_.a, &product_.b})
      for (const Dim& dim : array->dims)
        if (dim.index == index) return dim.size;
    return 0;
  }

  static void add(Front& front, const Cost& cost) {
    for (const Cost& other : front)
      if (other.seconds <= cost.seconds && other.bytes <= cost.bytes) return;
    std::erase_if(front, [&](const Cost& other) { return cost.seconds <= other.seconds && cost.bytes <= other.bytes; });
    front.push_back(cost);
  }

  std::vector<int> unused(const Sharding& s) const {
    std::vector<int> axes;
    for (int axis = 0; axis < mesh_.num_axes(); ++axis) {
      bool used = std::count(s.unreduced.begin(), s.unreduced.end(), axis) > 0;
      for (const auto& dim : s.dims) used |= std::count(dim.begin(), dim.end(), axis) > 0;
      if (!used) axes.push_back(axis);
    }
    return axes;
  }

  /// Everything that `s` becomes when axes of `pool` are put at the minor end of `dims`, some or all of them.
  std::vector<Sharding> appended(const Sharding& s, const std::vector<int>& pool, const std::vector<std::size_t>& dims,
                                 bool all) const {
    std::vector<Sharding> results;
    if (!all || pool.empty()) results.push_back(s);
    for (std::size_t i = 0; i < pool.size(); ++i)
      for (const std::size_t dim : dims) {
        Sharding next = s;
        next.dims[dim].push_back(pool[i]);
        std::vector<int> rest = pool;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        for (Sharding& result : appended(next, rest, dims, all)) results.push_back(std::move(result));
      }
    return results;
  }
  static std::vector<std::size_t> all_dims(const Sharding& s) {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < s.dims.size(); ++d) dims.push_back(d);
    return dims;
  }
  std::vector<Sharding> shardings(int num_dims) const {
    const Sharding none = Sharding::replicated(num_dims);
    return appended(none, unused(none), all_dims(none), false);
  }

  static std::vector<std::vector<int>> subsets(const std::vector<int>& axes) {
    std::vector<std::vector<int>> all{{}};
    for (const int axis : axes)
      for (std::size_t i = all.size(); i-- > 0;) {
        all.push_back(all[i]);
        all.back().push_back(axis);
      }
    return all;
  }

  /// Which unused axes pass through A and which through B.
  std::vector<std::pair<std::vector<int>, std::vector<int>>> pass_throughs(const Sharding& layout) const {
    std::vector<std::pair<std::vector<int>, std::vector<int>>> all;
    for (const auto& through_a : subsets(unused(layout)))
      for (const auto& through_b : subsets(unused(layout))) {
        const auto in_b = [&](int axis) { return std::count(through_b.begin(), through_b.end(), axis) > 0; };
        if (std::none_of(through_a.begin(), through_a.end(), in_b)) all.emplace_back(through_a, through_b);
      }
    return all;
  }

  double local_bytes(const ArrayType& array, const Sharding& s) const {
    ArrayType type = array;
    type.sharding = s;
    bool wide = false;
    if (array.name == product_.c.name)
      for (const int axis : s.unreduced)
        wide |= std::count(product_.c.sharding.unreduced.begin(), product_.c.sharding.unreduced.end(), axis) == 0;
    if (wide) type.dtype = wire_dtype_;
    return static_cast<double>(max_local_bytes(type, mesh_));
  }

  double gather_seconds(const std::vector<int>& axes, double bytes) const {
    const Network& net = hardware_.network;
    if (net.kind == NetworkKind::kSwitch) {
      const auto n = static_cast<double>(mesh_.size(axes));
      return std::max(bytes * (n - 1) / (n * net.link_bytes_per_second), net.hop_seconds);
    }
    double hops = 0;
    for (const int axis : axes) hops += static_cast<double>(mesh_.size(axis)) / 2;
    return std::max(bytes / (static_cast<double>(axes.size()) * 2 * net.link_bytes_per_second), hops * net.hop_seconds);
  }

  double exchange_seconds(const std::vector<int>& axes, double bytes) const {
    const Network& net = hardware_.network;
    if (net.kind == NetworkKind::kSwitch) return gather_seconds(axes, bytes);
    double hops = 0;
    double longest = 0;
    for (const int axis : axes) {
      hops += static_cast<double>(mesh_.size(axis) / 2);
      longest = std::max(longest, static_cast<double>(mesh_.size(axis)));
    }
    return std::max(bytes * longest / (8 * net.link_bytes_per_second), hops * net.hop_seconds);
  }

  double message_seconds(const std::vector<int>& axes, double bytes) const {
    const Network& net = hardware_.network;
    if (net.kind == NetworkKind::kSwitch) return bytes / net.link_bytes_per_second + net.hop_seconds;
    double hops = 0;
    double share = 1 / static_cast<double>(axes.size());
    for (const int axis : axes) {
      hops += static_cast<double>(mesh_.size(axis)) / 2;
      share = std::max(share, static_cast<double>(mesh_.size(axis)) / 4);
    }
    return bytes * share / (2 * net.link_bytes_per_second) + hops * net.hop_seconds;
  }

  std::vector<Step> moves(const ArrayType& array, const Sharding& from) const {
    std::vector<Step> steps;
    for (Sharding& to : appended(from, unused(from), all_dims(from), false)) steps.push_back({std::move(to), 0, true});
    for (const auto& axes : subsets(unused(from))) {
      Sharding to = from;
      to.unreduced.insert(to.unreduced.end(), axes.begin(), axes.end());
      std::sort(to.unreduced.begin(), to.unreduced.end());
      steps.push_back({to, 0, false});
    }
    add_gathers_and_exchanges(array, from, {}, {}, steps);
    for (const auto& axes : subsets(from.unreduced)) {
      if (axes.empty()) continue;
      Sharding reduced = from;
      std::erase_if(reduced.unreduced, [&](int axis) { return std::count(axes.begin(), axes.end(), axis) > 0; });
      const double seconds = gather_seconds(axes, local_bytes(array, from));
      steps.push_back({reduced, 2 * seconds, false});
      for (Sharding& to : appended(reduced, axes, all_dims(reduced), true))
        steps.push_back({std::move(to), seconds, false});
    }
    for (Sharding to : shardings(static_cast<int>(from.dims.size()))) {
      to.unreduced = from.unreduced;
      if (const std::vector<int> free = unused(Sharding{{}, from.unreduced}); !uses_only(to, free)) continue;
      if (const std::vector<int> lost = lost_axes(from, to); !lost.empty())
        steps.push_back({to, message_seconds(lost, local_bytes(array, to)), false});
    }
    return steps;
  }

  static bool uses_only(const Sharding& s, const std::vector<int>& allowed) {
    for (const auto& dim : s.dims)
      for (const int axis : dim)
        if (std::count(allowed.begin(), allowed.end(), axis) == 0) return false;
    return true;
  }

  static std::vector<int> lost_axes(const Sharding& from, const Sharding& to) {
    std::vector<int> lost;
    for (std::size_t d = 0; d < from.dims.size(); ++d) {
      const auto differ = std::mismatch(from.dims[d].begin(), from.dims[d].end(), to.dims[d].begin(), to.dims[d].end());
      lost.insert(lost.end(), differ.first, from.dims[d].end());
    }
    return lost;
  }

  /// Takes the minor axis off one more dimension; what was taken off is gathered, or goes to other dimensions.
  void add_gathers_and_exchanges(const ArrayType& array, const Sharding& now, const std::vector<int>& taken,
                                 const std::set<std::size_t>& losers, std::vector<Step>& steps) const {
    if (!taken.empty()) {
      steps.push_back({now, gather_seconds(taken, local_bytes(array, now)), false});
      std::vector<std::size_t> others;
      for (const std::size_t d : all_dims(now))
        if (!losers.contains(d)) others.push_back(d);
      for (const Sharding& to : appended(now, taken, others, true))
        steps.push_back({to, exchange_seconds(taken, local_bytes(array, to)), false});
    }
    for (const std::size_t d : all_dims(now)) {
      if (now.dims[d].empty()) continue;
      Sharding less = now;
      std::vector<int> more = taken;
      more.push_back(less.dims[d].back());
      less.dims[d].pop_back();
      std::set<std::size_t> all_losers = losers;
      all_losers.insert(d);
      add_gathers_and_exchanges(array, less, more, all_losers, steps);
    }
  }

  void walk(const ArrayType& array, const Sharding& at, const Cost& so_far, int moves_left, Table& table) const {
    Front& front = table[key(at)];
    if (std::any_of(front.begin(), front.end(),
                    [&](const Cost& c) { return c.seconds <= so_far.seconds && c.bytes <= so_far.bytes; }))
      return;
    add(front, so_far);
    if (moves_left == 0) return;
    for (const Step& step : moves(array, at))
      walk(array, step.to,
           {so_far.seconds + step.seconds, so_far.bytes + (step.is_slice ? 0 : local_bytes(array, step.to))},
           moves_left - 1, table);
  }

  static constexpr int kMostMoves = 4;

  using Tables = std::map<Key, Table>;  // by where the chains begin

  const Table& chains_from(const ArrayType& array, Tables& known) const {
    const auto [place, is_new] = known.try_emplace(key(array.sharding));
    if (is_new) walk(array, array.sharding, {}, kMostMoves, place->second);
    return place->second;
  }

  const Front& chains_to_output(const Sharding& from) const {
    const auto [place, is_new] = to_output_.try_emplace({key(from), key(product_.c.sharding)});
    if (is_new) find_chains_to_output(chains_from(with(product_.c, from), from_c_), from, place->second);
    return place->second;
  }

  static ArrayType with(ArrayType array, const Sharding& sharding) {
    array.sharding = sharding;
    return array;
  }

  void find_chains_to_output(const Table& table, const Sharding& from, Front& front) const {
    if (product_.c.sharding == from) front.push_back({});
    // A slice that makes the output is a copy.
    for (const auto& [state, costs] : table) {
      const Sharding before{state.first, state.second};
      for (const Step& last : moves(product_.c, before)) {
        if (last.to != product_.c.sharding) continue;
        for (const Cost& cost : costs)
          add(front, {cost.seconds + last.seconds, cost.bytes + local_bytes(product_.c, last.to)});
      }
    }
  }

  Product product_;
  Mesh mesh_;
  Hardware hardware_;
  Dtype wire_dtype_;
  mutable Tables from_a_, from_b_, from_c_;
  mutable std::map<std::pair<Key, Key>, Front> to_output_;
};

}  // namespace meshmul::testing
