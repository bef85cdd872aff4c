#include "execute/cuda/work_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "meshmul/error.hpp"
#include "schedule/conflicts.hpp"

namespace meshmul::cuda {
namespace {

/// Divides the ops of one lane.
class LanePlanner {
 public:
  LanePlanner(const Schedule& schedule, const LaneAccesses& accesses, const KernelOf& kernel_of, const CanEnd& can_end,
              const CanSum& can_sum, int rank, int lane, WorkPlan& plan)
      : others_(accesses, rank, lane),
        epilogues_(plan_epilogues(
            schedule, rank, lane, others_, [&](const Gemm& gemm) { return kernel_of(rank, gemm); }, can_end)),
        ops_(schedule.ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)].ops),
        kernel_of_(kernel_of),
        rank_(rank),
        lane_(lane),
        plan_(plan),
        sums_(sum_chains(schedule, rank, lane, others_, epilogues_.absorbed, can_sum)) {}

  /// Adds the tasks of the lane to the plan, and returns its runs.
  std::vector<ProductRun> divide() {
    auto sum = sums_.begin();
    for (op_ = 0; op_ < static_cast<int>(ops_.size()); ++op_) {
      const Op& op = ops_[static_cast<std::size_t>(op_)];
      if (epilogues_.absorbed.contains(op_)) continue;
      if (sum != sums_.end() && sum->first_op == op_) {
        add_sum(*sum++);
        continue;
      }
      if (std::holds_alternative<Wait>(op)) {
        add_wait();
        continue;
      }
      const auto* gemm = std::get_if<Gemm>(&op);
      if (const auto kind = gemm == nullptr ? std::nullopt : kernel_of_(rank_, *gemm))
        add_product(*gemm, *kind);
      else if (std::holds_alternative<Signal>(op))
        add_signal(op);
      else
        add_task(effects_of(op, rank_));
    }
    plan_.num_absorbed_ops += static_cast<int>(epilogues_.absorbed.size());
    return std::move(runs_);
  }

 private:
  struct Past {
    int number = 0;  // of the task, or the product, in the lane
    Effects effects;
  };
  void add_wait() {
    waits_of_tasks_.push_back({Need::Of::kSignal, 0, op_});
    waits_of_products_.push_back(waits_of_tasks_.back());
  }

  PlannedProduct& product(int number) {
    const auto run = std::ranges::find_if(runs_.rbegin(), runs_.rend(),
                                          [&](const ProductRun& some) { return some.first_product <= number; });
    return run->products[static_cast<std::size_t>(number - run->first_product)];
  }
  Need after_product(int number) {
    product(number).is_awaited = true;
    return {Need::Of::kProduct, number, op_};
  }

  /// The last one that conflicts stands for all ahead of it.
  static const Past* last_conflict(const std::vector<Past>& past, const Effects& effects, int first) {
    for (std::size_t i = past.size(); i-- > 0 && past[i].number >= first;)
      if (conflict(past[i].effects, effects)) return &past[i];
    return nullptr;
  }
  void need_tasks(const Effects& effects, std::vector<Need>& needs) const {
    if (const Past* past = last_conflict(past_tasks_, effects, 0))
      needs.push_back({Need::Of::kTask, past->number, op_});
  }
  void need_products(const Effects& effects, std::vector<Need>& needs, int first) {
    if (const Past* past = last_conflict(past_products_, effects, first)) needs.push_back(after_product(past->number));
  }

  void add_product(const Gemm& gemm, int kind) {
    if (runs_.empty() || kind != kind_)
      runs_.push_back({.rank = rank_, .lane = lane_, .first_product = num_products_, .products = {}});
    kind_ = kind;
    ProductRun& run = runs_.back();
    PlannedProduct planned;
    planned.op = op_;
    planned.needs = std::exchange(waits_of_products_, {});
    const PlannedEpilogue* epilogue = epilogue_of(op_);
    Effects effects = effects_of(gemm, rank_);
    if (epilogue != nullptr) {
      planned.result = epilogue->result;
      effects.reads = {gemm.a, gemm.b};
      effects.writes.clear();
    }
    if (run.products.empty()) {
      need_past(effects, planned.needs);
    } else {
      const PlannedProduct& before = run.products.back();
      const auto& last = std::get<Gemm>(ops_[static_cast<std::size_t>(before.op)]);
      const bool unseen = before.raises.empty() && !before.is_awaited && !before.epilogue;
      const bool of_one_sum = epilogue_of(before.op) == epilogue;
      planned.continues = unseen && of_one_sum && gemm.accumulate && gemm.c == last.c && !overlap(gemm.a, last.c) &&
                          !overlap(gemm.b, last.c);
      if (planned.continues) {
        // All that it writes is of the sum that it goes on with; what it reads may be another product's.
        need_tasks(effects, planned.needs);
        Effects operands;
        operands.reads = {gemm.a, gemm.b};
        need_products(operands, planned.needs, run.first_product);
      } else {
        need_past(effects, planned.needs);
      }
      planned.may_join = unseen && !before.is_awaited && epilogue == nullptr;
    }
    const bool ends = epilogue != nullptr && epilogues_.of_product.contains(op_);
    if (ends) {
      Effects of_end;
      of_end.writes = {epilogue->result};
      for (const PlannedStep& step : epilogue->steps)
        if (step.operand) of_end.reads.push_back(*step.operand);
      // Where nothing is done with the sums but to round them, nobody waits between multiplying and writing.
      std::vector<Need>& needs = epilogue->steps.empty() ? planned.needs : planned.epilogue_needs;
      for (const int wait : epilogue->waits) needs.push_back({Need::Of::kSignal, 0, wait});
      need_past(of_end, needs);
      planned.epilogue = *epilogue;
      effects.reads.insert(effects.reads.end(), of_end.reads.begin(), of_end.reads.end());
      effects.writes = of_end.writes;
    }
    const int number = num_products_++;
    run.products.push_back(std::move(planned));
    past_products_.push_back({number, effects});
    for (const Raise& raise : effects.raises) raise_for_product(number, raise);
    if (ends && epilogue->raise) raise_for_product(number, *epilogue->raise);
  }
  const PlannedEpilogue* epilogue_of(int op) const {
    const auto last = epilogues_.last_gemm.find(op);
    return last == epilogues_.last_gemm.end() ? nullptr : &epilogues_.of_product.at(last->second);
  }
  void need_past(const Effects& effects, std::vector<Need>& needs) {
    need_tasks(effects, needs);
    need_products(effects, needs, runs_.back().first_product);
  }

  /// The product raises it, unless there are tasks ahead of it: a raise tells of all that is ahead in its lane.
  void raise_for_product(int number, const Raise& raise) {
    if (num_tasks_ == 0) {
      product(number).raises.push_back({raise.rank, raise.signal, ++raised_[{raise.rank, raise.signal}]});
      return;
    }
    Task& task = new_task(false);
    task.needs.push_back(after_product(number));
    raise_for_task(task, raise);
  }

  void raise_for_task(Task& task, const Raise& raise) {
    task.raises.push_back({raise.rank, raise.signal, ++raised_[{raise.rank, raise.signal}]});
  }

  Task& new_task(bool works) {
    ++num_tasks_;
    Task& task = plan_.tasks.emplace_back();
    task.rank = rank_;
    task.lane = lane_;
    task.op = task.last_op = op_;
    task.works = works;
    task.needs = std::exchange(waits_of_tasks_, {});
    return task;
  }

  /// A release: all ahead of it in the lane is done. Right behind a product, and with no task ahead of it, the product
  /// raises it.
  void add_signal(const Op& op) {
    const Raise raise = *raises_of(op, rank_).begin();
    if (num_tasks_ == 0 && num_products_ > 0 && waits_of_products_.empty()) {
      raise_for_product(num_products_ - 1, raise);
      return;
    }
    Task& task = new_task(false);
    if (num_products_ > 0) task.needs.push_back(after_product(num_products_ - 1));
    raise_for_task(task, raise);
  }

  Task& add_task(Effects effects) {
    Task& task = new_task(true);
    need_tasks(effects, task.needs);
    // A raise tells of all that is ahead in its lane.
    if (effects.raises.empty())
      need_products(effects, task.needs, 0);
    else if (num_products_ > 0)
      task.needs.push_back(after_product(num_products_ - 1));
    for (const Raise& raise : effects.raises) raise_for_task(task, raise);
    past_tasks_.push_back({num_tasks_ - 1, std::move(effects)});
    return task;
  }

  void add_sum(const SumChain& sum) {
    for (; op_ < sum.last_op; ++op_)
      if (std::holds_alternative<Wait>(ops_[static_cast<std::size_t>(op_)])) add_wait();
    Effects effects = effects_of(ops_[static_cast<std::size_t>(op_)], rank_);
    effects.reads = sum.terms;
    effects.writes = {sum.dst};
    Task& task = add_task(std::move(effects));
    task.op = sum.first_op;
    task.sum = sum;
  }

  OtherLanes others_;
  LaneEpilogues epilogues_;
  const std::vector<Op>& ops_;
  const KernelOf& kernel_of_;
  int rank_;
  int lane_;
  WorkPlan& plan_;
  std::vector<SumChain> sums_;
  std::vector<ProductRun> runs_;
  int kind_ = 0;
  int op_ = 0;
  int num_tasks_ = 0;
  int num_products_ = 0;
  std::vector<Need> waits_of_tasks_, waits_of_products_;  // since the last one of each
  std::vector<Past> past_tasks_, past_products_;
  std::map<std::pair<int, int>, std::uint64_t> raised_;  // how often, by rank and signal
};

/// Lets all lanes go on as far as their waits pass, op by op, to find when each run can be launched.
class LaunchOrder {
 public:
  LaunchOrder(const Schedule& schedule, const std::vector<std::vector<ProductRun>>& runs_of_lanes)
      : schedule_(schedule) {
    std::size_t number = 0;
    for (int rank = 0; rank < schedule.num_ranks(); ++rank)
      for (int lane = 0; lane < static_cast<int>(schedule.ranks[static_cast<std::size_t>(rank)].lanes.size()); ++lane)
        lanes_.push_back({rank, lane, runs_of_lanes[number++]});
  }

  std::vector<ProductRun> order() {
    // The first of each lane have nothing in their streams ahead of them that they could hold up.
    for (Progress& lane : lanes_) launch_next(lane);
    bool any = true;
    while (any) {
      any = false;
      for (Progress& lane : lanes_)
        while (step(lane)) any = true;
    }
    for (const Progress& lane : lanes_) {
      const Lane& in_schedule = lane_of(lane);
      if (lane.op == static_cast<int>(in_schedule.ops.size())) continue;
      const Op& op = in_schedule.ops[static_cast<std::size_t>(lane.op)];
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("rank {}, lane {}, op {}: {}: nothing that runs before raises its signal as often",
                              lane.rank, in_schedule.name, lane.op, to_string(schedule_, lane.rank, op)));
    }
    return std::move(order_);
  }

 private:
  struct Progress {
    int rank = 0;
    int lane = 0;
    const std::vector<ProductRun>& runs;
    int op = 0;
    std::size_t launched = 0;
  };

  const Lane& lane_of(const Progress& lane) const {
    return schedule_.ranks[static_cast<std::size_t>(lane.rank)].lanes[static_cast<std::size_t>(lane.lane)];
  }

  void launch_next(Progress& lane) {
    if (lane.launched < lane.runs.size()) order_.push_back(lane.runs[lane.launched++]);
  }

  bool step(Progress& lane) {
    const Lane& in_schedule = lane_of(lane);
    if (lane.op == static_cast<int>(in_schedule.ops.size())) return false;
    const Op& op = in_schedule.ops[static_cast<std::size_t>(lane.op)];
    const auto* wait = std::get_if<Wait>(&op);
    if (wait != nullptr && raised_[{lane.rank, wait->signal}] < wait->threshold) return false;
    if (lane.launched < lane.runs.size() && lane.runs[lane.launched].products.front().op == lane.op) launch_next(lane);
    for (const Raise& raise : raises_of(op, lane.rank)) ++raised_[{raise.rank, raise.signal}];
    ++lane.op;
    return true;
  }

  const Schedule& schedule_;
  std::vector<Progress> lanes_;
  std::map<std::pair<int, int>, std::uint64_t> raised_;  // by rank and signal
  std::vector<ProductRun> order_;
};

}  // namespace

WorkPlan plan_work(const Schedule& schedule, const KernelOf& kernel_of, const CanEnd& can_end, const CanSum& can_sum) {
  WorkPlan plan;
  const LaneAccesses accesses(schedule);
  std::vector<std::vector<ProductRun>> runs_of_lanes;
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (int lane = 0; lane < static_cast<int>(schedule.ranks[static_cast<std::size_t>(rank)].lanes.size()); ++lane)
      runs_of_lanes.push_back(LanePlanner(schedule, accesses, kernel_of, can_end, can_sum, rank, lane, plan).divide());
  plan.runs = LaunchOrder(schedule, runs_of_lanes).order();
  return plan;
}

}  // namespace meshmul::cuda
