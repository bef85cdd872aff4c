#pragma once
// Schedules with one small fault each: an op left out or out of its place, a signal of an op left out, a threshold off by
// one, a box shifted by one element, two boxes swapped, another peer, another signal, a sum that is not added up.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul::testing {

struct Mutant {
  std::string what;
  Schedule schedule;
};

class Mutator {
 public:
  /// One of `step` mutants is made.
  explicit Mutator(const Schedule& schedule, std::size_t step = 1) : schedule_(schedule), step_(step) {}

  std::vector<Mutant> all() {
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank)
      for (std::size_t lane = 0; lane < lanes(schedule_, rank).size(); ++lane)
        for (std::size_t op = 0; op < lanes(schedule_, rank)[lane].ops.size(); ++op) mutate(rank, lane, op);
    return std::move(mutants_);
  }

 private:
  static std::vector<Lane>& lanes(Schedule& schedule, int rank) {
    return schedule.ranks[static_cast<std::size_t>(rank)].lanes;
  }

  void mutate(int rank, std::size_t lane, std::size_t index) {
    const std::vector<Op>& ops = lanes(schedule_, rank)[lane].ops;
    const std::string text = to_string(schedule_, rank, ops[index]) + " of rank " + std::to_string(rank);
    const auto at = [&](Schedule& schedule) -> std::vector<Op>& { return lanes(schedule, rank)[lane].ops; };
    const auto add = [&](const std::string& what, const auto& change) {
      if (number_++ % step_ != 0) return;
      Schedule mutant = schedule_;
      change(at(mutant));
      if (mutant != schedule_) mutants_.push_back({what + ": " + text, std::move(mutant)});
    };
    add("left out", [&](std::vector<Op>& all) { all.erase(all.begin() + static_cast<std::ptrdiff_t>(index)); });
    if (index + 1 < ops.size())
      add("after the next", [&](std::vector<Op>& all) { std::swap(all[index], all[index + 1]); });
    for (std::size_t other = index + 1; other < ops.size(); ++other)
      if (ops[other].index() == ops[index].index()) {
        add("boxes swapped with those of " + to_string(schedule_, rank, ops[other]),
            [&](std::vector<Op>& all) { swap_boxes(all[index], all[other]); });
        break;
      }
    for (Op& changed : changed_ops(rank, ops[index]))
      add("changed to " + to_string(schedule_, rank, changed), [&](std::vector<Op>& all) { all[index] = changed; });
  }

  std::vector<Op> changed_ops(int rank, const Op& op) {
    std::vector<Op> changed;
    const auto add = [&](const auto& change) {
      Op copy = op;
      if (change(copy)) changed.push_back(std::move(copy));
    };
    for (const int step : {-1, 1})
      add([&](Op& copy) {
        auto* wait = std::get_if<Wait>(&copy);
        if (wait != nullptr) wait->threshold += static_cast<std::uint64_t>(step);
        return wait != nullptr;
      });
    for (int peer = 0; peer < schedule_.num_ranks(); ++peer)
      add([&](Op& copy) { return change_peer(copy, rank, peer); });
    for (int signal = 0; signal < static_cast<int>(schedule_.signals.size()); ++signal)
      add([&](Op& copy) { return change_signal(copy, signal); });
    add([](Op& copy) {
      auto* gemm = std::get_if<Gemm>(&copy);
      if (gemm != nullptr) gemm->accumulate = !gemm->accumulate;
      return gemm != nullptr;
    });
    add([](Op& copy) { return drop_signal(copy); });
    Op shape = op;
    for (std::size_t region = 0; region < regions(shape).size(); ++region)
      for (int dim = 0; dim < regions(shape)[region]->box.num_dims(); ++dim)
        for (const int step : {-1, 1}) add([&](Op& copy) { return shift(*regions(copy)[region], dim, step); });
    return changed;
  }

  static bool change_peer(Op& op, int rank, int peer) {
    if (auto* put = std::get_if<Put>(&op)) return std::exchange(put->dst.rank, peer) != peer && peer != rank;
    if (auto* get = std::get_if<Get>(&op)) return std::exchange(get->src.rank, peer) != peer && peer != rank;
    if (auto* signal = std::get_if<Signal>(&op)) return std::exchange(signal->peer, peer) != peer;
    return false;
  }

  static bool change_signal(Op& op, int signal) {
    if (auto* put = std::get_if<Put>(&op)) return std::exchange(put->arrived, signal) != signal;
    if (auto* get = std::get_if<Get>(&op)) return std::exchange(get->arrived, signal) != signal;
    if (auto* raised = std::get_if<Signal>(&op)) return std::exchange(raised->signal, signal) != signal;
    if (auto* wait = std::get_if<Wait>(&op)) return std::exchange(wait->signal, signal) != signal;
    return false;
  }

  // Two chunks of which each goes where the other should: only boxes of equal extents in one buffer change places.
  static void swap_boxes(Op& x, Op& y) {
    const std::vector<Region*> of_x = regions(x);
    const std::vector<Region*> of_y = regions(y);
    for (std::size_t i = 0; i < of_x.size() && i < of_y.size(); ++i)
      if (of_x[i]->buffer == of_y[i]->buffer && of_x[i]->box.shape() == of_y[i]->box.shape())
        return std::swap(of_x[i]->box, of_y[i]->box);
  }

  // A signal that an op may do without.
  static bool drop_signal(Op& op) {
    const auto drop = [](std::optional<int>& signal) { return std::exchange(signal, std::nullopt).has_value(); };
    if (auto* put = std::get_if<Put>(&op)) return drop(put->sent);
    if (auto* get = std::get_if<Get>(&op)) return drop(get->taken);
    if (auto* copy = std::get_if<Copy>(&op)) return drop(copy->arrived);
    if (auto* reduce = std::get_if<Reduce>(&op)) return drop(reduce->arrived);
    if (auto* gemm = std::get_if<Gemm>(&op)) return drop(gemm->arrived);
    if (auto* map = std::get_if<Map>(&op)) return drop(map->arrived);
    return false;
  }

  // Within the buffer; what is outside of it is told by the well-formed rule.
  bool shift(Region& region, int dim, int step) const {
    Interval& interval = region.box[dim];
    interval = {interval.begin + step, interval.end + step};
    return interval.begin >= 0 &&
           interval.end <=
               schedule_.buffers[static_cast<std::size_t>(region.buffer)].shape[static_cast<std::size_t>(dim)];
  }

  static std::vector<Region*> regions(Op& op) {
    if (auto* put = std::get_if<Put>(&op)) return {&put->dst, &put->src};
    if (auto* get = std::get_if<Get>(&op)) return {&get->dst, &get->src};
    if (auto* copy = std::get_if<Copy>(&op)) return {&copy->dst, &copy->src};
    if (auto* reduce = std::get_if<Reduce>(&op)) return {&reduce->dst, &reduce->src};
    if (auto* gemm = std::get_if<Gemm>(&op)) return {&gemm->c, &gemm->a, &gemm->b};
    if (auto* map = std::get_if<Map>(&op)) return {&map->dst};
    return {};
  }

  Schedule schedule_;
  std::size_t step_;
  std::size_t number_ = 0;
  std::vector<Mutant> mutants_;
};

}  // namespace meshmul::testing
