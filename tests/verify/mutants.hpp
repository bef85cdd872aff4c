#pragma once
// Schedules with one small fault each, such as a builder might make.

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul::testing {

struct Mutant {
  std::string what;
  Schedule schedule;
  bool deletes_wait = false;
};

/// The regions of an op, of any kind.
inline std::vector<Region*> regions_of(Op& op) {
  struct Visitor {
    std::vector<Region*> operator()(Put& put) { return {&put.dst, &put.src}; }
    std::vector<Region*> operator()(Get& get) { return {&get.dst, &get.src}; }
    std::vector<Region*> operator()(Signal&) { return {}; }
    std::vector<Region*> operator()(Wait&) { return {}; }
    std::vector<Region*> operator()(Copy& copy) { return {&copy.dst, &copy.src}; }
    std::vector<Region*> operator()(Reduce& reduce) { return {&reduce.dst, &reduce.src}; }
    std::vector<Region*> operator()(Gemm& gemm) { return {&gemm.c, &gemm.a, &gemm.b}; }
    std::vector<Region*> operator()(Map& map) {
      std::vector<Region*> regions{&map.dst};
      for (Region& src : map.srcs) regions.push_back(&src);
      return regions;
    }
  };
  return std::visit(Visitor{}, op);
}

/// The optional signal of an op; null if its kind has none.
inline std::optional<int>* optional_signal_of(Op& op) {
  struct Visitor {
    std::optional<int>* operator()(Put& put) { return &put.sent; }
    std::optional<int>* operator()(Get& get) { return &get.taken; }
    std::optional<int>* operator()(Signal&) { return nullptr; }
    std::optional<int>* operator()(Wait&) { return nullptr; }
    std::optional<int>* operator()(Copy& copy) { return &copy.arrived; }
    std::optional<int>* operator()(Reduce& reduce) { return &reduce.arrived; }
    std::optional<int>* operator()(Gemm& gemm) { return &gemm.arrived; }
    std::optional<int>* operator()(Map& map) { return &map.arrived; }
  };
  return std::visit(Visitor{}, op);
}

class Mutator {
 public:
  explicit Mutator(const Schedule& schedule) : original_(schedule) {
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
      for (std::size_t lane = 0; lane < schedule.ranks[rank].lanes.size(); ++lane)
        for (std::size_t op = 0; op < schedule.ranks[rank].lanes[lane].ops.size(); ++op) mutate(rank, lane, op);
  }

  std::vector<Mutant> mutants() && { return std::move(mutants_); }

 private:
  using Change = std::function<void(std::vector<Op>& ops, std::size_t op)>;

  void add(std::string_view what, std::size_t rank, std::size_t lane, std::size_t op, const Change& change,
           bool deletes_wait = false) {
    Mutant mutant{"", original_, deletes_wait};
    std::vector<Op>& ops = mutant.schedule.ranks[rank].lanes[lane].ops;
    mutant.what = fmt::format("{}: rank {} lane {} op {} '{}'", what, rank, original_.ranks[rank].lanes[lane].name, op,
                              to_string(original_, static_cast<int>(rank), ops[op]));
    change(ops, op);
    mutants_.push_back(std::move(mutant));
  }

  void mutate(std::size_t rank, std::size_t lane, std::size_t op) {
    const std::vector<Op>& ops = original_.ranks[rank].lanes[lane].ops;
    const bool is_wait = std::holds_alternative<Wait>(ops[op]);
    add(
        "deleted", rank, lane, op,
        [](auto& all, std::size_t i) { all.erase(all.begin() + static_cast<std::ptrdiff_t>(i)); }, is_wait);
    if (op + 1 < ops.size() && ops[op] != ops[op + 1])
      add("swapped with the next", rank, lane, op, [](auto& all, std::size_t i) { std::swap(all[i], all[i + 1]); });
    if (is_wait) change_threshold(rank, lane, op);
    if (std::holds_alternative<Reduce>(ops[op]))
      add("overwrites", rank, lane, op, [](auto& all, std::size_t i) {
        const Reduce reduce = std::get<Reduce>(all[i]);
        all[i] = Copy{reduce.dst, reduce.src, reduce.permutation, reduce.arrived};
      });
    Op copy = ops[op];
    if (const auto* signal = optional_signal_of(copy); signal != nullptr && *signal)
      add("without its signal", rank, lane, op, [](auto& all, std::size_t i) { optional_signal_of(all[i])->reset(); });
    shift_boxes(rank, lane, op);
  }

  void change_threshold(std::size_t rank, std::size_t lane, std::size_t op) {
    const auto by = [](std::int64_t step) {
      return [step](auto& all, std::size_t i) {
        std::uint64_t& threshold = std::get<Wait>(all[i]).threshold;
        threshold = static_cast<std::uint64_t>(static_cast<std::int64_t>(threshold) + step);
      };
    };
    if (std::get<Wait>(original_.ranks[rank].lanes[lane].ops[op]).threshold > 1)
      add("threshold one lower", rank, lane, op, by(-1));
    add("threshold one higher", rank, lane, op, by(1));
  }

  void shift_boxes(std::size_t rank, std::size_t lane, std::size_t op) {
    Op original = original_.ranks[rank].lanes[lane].ops[op];
    const std::vector<Region*> regions = regions_of(original);
    for (std::size_t r = 0; r < regions.size(); ++r) {
      const Shape& shape = original_.buffers[static_cast<std::size_t>(regions[r]->buffer)].shape;
      for (int d = 0; d < regions[r]->box.num_dims(); ++d)
        for (const std::int64_t step : {-1, 1}) {
          const Interval old = regions[r]->box[d];
          if (old.empty() || old.begin + step < 0 || old.end + step > shape[static_cast<std::size_t>(d)]) continue;
          add(fmt::format("box {} moved by {} in dimension {}", r, step, d), rank, lane, op,
              [r, d, step](auto& all, std::size_t i) {
                Interval& interval = regions_of(all[i])[r]->box[d];
                interval = {interval.begin + step, interval.end + step};
              });
        }
    }
  }

  const Schedule& original_;
  std::vector<Mutant> mutants_;
};

/// Every schedule that differs from `schedule` by one of: an op deleted; a threshold one lower or higher; two neighbours
/// of a lane swapped; a box moved by one element; an optional signal left out; an addition that overwrites.
inline std::vector<Mutant> mutants_of(const Schedule& schedule) { return Mutator(schedule).mutants(); }

}  // namespace meshmul::testing
