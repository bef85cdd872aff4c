// Who does which op, and what comes before what: every op once, and no order of a schedule is lost, whatever the kernels
// do at once.

#include "execute/cuda/work_plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/error.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "schedule/conflicts.hpp"

namespace meshmul::cuda {
namespace {

bool any_sum(const Region&, const std::vector<Region>&) { return true; }
bool no_sum(const Region&, const std::vector<Region>&) { return false; }

KernelOf every_gemm() {
  return [](int, const Gemm&) { return std::optional(0); };
}

CanEnd no_epilogues() {
  return [](const Gemm&, const PlannedEpilogue&) { return false; };
}

const Op& op_at(const Schedule& schedule, int rank, int lane, int op) {
  return schedule.ranks[static_cast<std::size_t>(rank)]
      .lanes[static_cast<std::size_t>(lane)]
      .ops[static_cast<std::size_t>(op)];
}

/// Carries out a plan step by step in a random order: tasks of a lane one after the other as workers do, products as
/// their kernels do once these are launched. Fails where an op of a lane begins that an earlier, conflicting one of it
/// has not ended before, where a raised value says more than is done, or where nothing can go on.
class RandomRun {
 public:
  /// Without `in_order`, whether all comes to its end is all that is looked at.
  RandomRun(const Schedule& schedule, const WorkPlan& plan, unsigned seed, bool in_order = true)
      : schedule_(schedule), plan_(plan), random_(seed), in_order_(in_order) {
    for (const Task& task : plan.tasks) begun_tasks_[{task.rank, task.lane}];
    for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
      const Task& task = plan.tasks[i];
      tasks_of_[{task.rank, task.lane}].push_back(i);
      if (!task.sum) continue;
      for (int op = task.op; op < task.last_op; ++op) of_sums_[{{task.rank, task.lane}, op}] = {};
      Effects& whole = of_sums_[{{task.rank, task.lane}, task.last_op}];
      whole.reads = task.sum->terms;
      whole.writes = {task.sum->dst};
    }
    done_tasks_.resize(plan.tasks.size());
  }

  std::string run() {
    while (true) {
      std::vector<std::function<void()>> steps;
      for (auto& [lane, next] : begun_tasks_) add_task_steps(lane, next, steps);
      add_product_steps(steps);
      if (steps.empty()) break;
      steps[random_() % steps.size()]();
      if (in_order_ && !failure_.empty()) return failure_;
    }
    std::size_t done = 0;
    for (const bool task : done_tasks_) done += task ? 1 : 0;
    if (done != plan_.tasks.size()) return "a task is never done";
    for (const ProductRun& run : plan_.runs)
      if (done_products_[{run.rank, run.lane}] < run.first_product + static_cast<int>(run.products.size()))
        return "a product is never done";
    return "";
  }

 private:
  using LaneId = std::pair<int, int>;

  bool passes(const LaneId& lane, const Need& need) {
    switch (need.of) {
      case Need::Of::kSignal: {
        const auto& wait = std::get<Wait>(op_at(schedule_, lane.first, lane.second, need.op));
        return raised_[{lane.first, wait.signal}] >= wait.threshold;
      }
      case Need::Of::kTask: return counted_tasks_[lane] > need.index;
      case Need::Of::kProduct: return done_products_[lane] > need.index;
    }
    return false;
  }
  bool pass(const LaneId& lane, const std::vector<Need>& needs) {
    return std::ranges::all_of(needs, [&](const Need& need) { return passes(lane, need); });
  }

  /// Of the ops of a sum the last one does everything.
  Effects effects_at(const LaneId& lane, int op) const {
    const auto of_sum = of_sums_.find({lane, op});
    return of_sum != of_sums_.end() ? of_sum->second
                                    : effects_of(op_at(schedule_, lane.first, lane.second, op), lane.first);
  }
  void begin(const LaneId& lane, int op) {
    const Effects effects = effects_at(lane, op);
    for (int earlier = 0; earlier < op; ++earlier) {
      const Op& other = op_at(schedule_, lane.first, lane.second, earlier);
      if (ended_.contains({lane, earlier})) continue;
      if (const auto* wait = std::get_if<Wait>(&other)) {
        if (raised_[{lane.first, wait->signal}] < wait->threshold)
          failure_ =
              fmt::format("op {} of lane {} of rank {} ran ahead of wait {}", op, lane.second, lane.first, earlier);
      } else if (conflict(effects_at(lane, earlier), effects) && !is_sum_that_goes_on(lane, earlier, op)) {
        failure_ = fmt::format("op {} of lane {} of rank {} ran ahead of op {}", op, lane.second, lane.first, earlier);
      }
    }
  }
  // Parts of one sum are one piece of the kernel.
  bool is_sum_that_goes_on(const LaneId& lane, int earlier, int op) const {
    const auto* first = std::get_if<Gemm>(&op_at(schedule_, lane.first, lane.second, earlier));
    const auto* second = std::get_if<Gemm>(&op_at(schedule_, lane.first, lane.second, op));
    return first != nullptr && second != nullptr && first->c == second->c && second->accumulate;
  }

  void raise(const LaneId& lane, int op, const std::vector<Raised>& raises) {
    for (const Raised& raised : raises) {
      std::uint64_t& word = raised_[{raised.rank, raised.signal}];
      word = std::max(word, raised.value);
      // All raises of this word up to this one stand for ops that have ended.
      std::uint64_t count = 0;
      for (int at = 0; count < raised.value; ++at)
        for (const Raise& each : raises_of(op_at(schedule_, lane.first, lane.second, at), lane.first))
          if (each.rank == raised.rank && each.signal == raised.signal) {
            ++count;
            if (at != op && !std::holds_alternative<Signal>(op_at(schedule_, lane.first, lane.second, at)) &&
                !ended_.contains({lane, at}))
              failure_ =
                  fmt::format("op {} of rank {} raised a signal for op {}, which had not ended", op, lane.first, at);
            if (std::holds_alternative<Signal>(op_at(schedule_, lane.first, lane.second, at)) && count == raised.value)
              expect_all_ended(lane, at);
          }
    }
  }
  void expect_all_ended(const LaneId& lane, int signal) {
    for (int earlier = 0; earlier < signal; ++earlier) {
      const Op& op = op_at(schedule_, lane.first, lane.second, earlier);
      if (!std::holds_alternative<Wait>(op) && !std::holds_alternative<Signal>(op) && !ended_.contains({lane, earlier}))
        failure_ = fmt::format("signal {} of rank {} ran ahead of op {}", signal, lane.first, earlier);
    }
  }

  // A task begins behind the ones ahead of it in its lane, and ends any time later.
  void add_task_steps(const LaneId& lane, std::size_t& next, std::vector<std::function<void()>>& steps) {
    const std::vector<std::size_t>& tasks = tasks_of_[lane];
    if (next < tasks.size() && pass(lane, plan_.tasks[tasks[next]].needs))
      steps.emplace_back([this, lane, &next, task = tasks[next]] {
        ++next;
        if (plan_.tasks[task].works) begin(lane, plan_.tasks[task].last_op);
        under_way_.push_back(task);
      });
    for (const std::size_t task : under_way_)
      if (LaneId{plan_.tasks[task].rank, plan_.tasks[task].lane} == lane)
        steps.emplace_back([this, lane, task] {
          std::erase(under_way_, task);
          done_tasks_[task] = true;
          if (plan_.tasks[task].works)
            for (int op = plan_.tasks[task].op; op <= plan_.tasks[task].last_op; ++op) ended_[{lane, op}] = true;
          // Tasks count, and raise, one behind the other.
          const std::vector<std::size_t>& all = tasks_of_[lane];
          for (int& counted = counted_tasks_[lane]; counted < static_cast<int>(all.size()); ++counted) {
            const std::size_t first = all[static_cast<std::size_t>(counted)];
            if (!done_tasks_[first]) break;
            raise(lane, plan_.tasks[first].last_op, plan_.tasks[first].raises);
          }
        });
  }

  // Products of a run begin one behind the other, and are under way together. One queue of launches for all lanes: behind
  // a run whose lane is not done with the one before it nothing is launched.
  void add_product_steps(std::vector<std::function<void()>>& steps) {
    for (const ProductRun& run : plan_.runs) {
      const LaneId lane{run.rank, run.lane};
      const int done = done_products_[lane], end = run.first_product + static_cast<int>(run.products.size());
      if (done < run.first_product) return;
      if (done < end && begun_products_[lane] > done &&
          pass(lane, run.products[static_cast<std::size_t>(done - run.first_product)].epilogue_needs))
        steps.emplace_back([this, lane, &run, done] { end_product(lane, run, done); });
      const int begun = std::max(begun_products_[lane], done);
      if (begun < run.first_product || begun >= end) continue;
      const PlannedProduct& product = run.products[static_cast<std::size_t>(begun - run.first_product)];
      if (pass(lane, product.needs))
        steps.emplace_back([this, lane, &product] {
          ++begun_products_[lane];
          begin(lane, product.op);
        });
    }
  }
  void end_product(const LaneId& lane, const ProductRun& run, int number) {
    const PlannedProduct& product = run.products[static_cast<std::size_t>(number - run.first_product)];
    ended_[{lane, product.op}] = true;
    ++done_products_[lane];
    raise(lane, product.op, product.raises);
  }

  const Schedule& schedule_;
  const WorkPlan& plan_;
  std::mt19937 random_;
  bool in_order_;
  std::map<LaneId, std::vector<std::size_t>> tasks_of_;
  std::map<LaneId, std::size_t> begun_tasks_;
  std::vector<std::size_t> under_way_;
  std::vector<bool> done_tasks_;
  std::map<LaneId, int> counted_tasks_;
  std::map<LaneId, int> begun_products_, done_products_;
  std::map<std::pair<LaneId, int>, bool> ended_;
  std::map<std::pair<LaneId, int>, Effects> of_sums_;
  std::map<std::pair<int, int>, std::uint64_t> raised_;
  std::string failure_;
};

void expect_sound(const Schedule& schedule, const WorkPlan& plan) {
  for (unsigned seed = 0; seed < 5; ++seed) ASSERT_EQ(RandomRun(schedule, plan, seed).run(), "") << "seed " << seed;
}

Schedule built(const std::string& statement, const std::string& mesh_text, const LowerOptions& options) {
  const Mesh mesh = parse_mesh(mesh_text);
  return legalize(lower(plan(parse_statement(statement, mesh), mesh, find_hardware("cpu")), options), {});
}

LowerOptions overlapped(Design design) {
  LowerOptions options;
  options.overlap.gather = design;
  options.overlap.reduce = design;
  return options;
}

constexpr const char* kGather = "bf16 A[M=64_X, K=32] * B[K, N=48_X] -> C[M, N_X]";

TEST(WorkPlan, MakesOneRunOfAllProductsOfALane) {
  for (const Design design : {Design::kPull, Design::kPush, Design::kInPlace, Design::kRing}) {
    const WorkPlan plan = plan_work(built(kGather, "X=4", overlapped(design)), every_gemm(), no_epilogues(), any_sum);
    EXPECT_EQ(plan.runs.size(), 4U) << name(design);
  }
}

TEST(WorkPlan, MakesTasksOfWhatNoKernelDoes) {
  const Schedule schedule = built(kGather, "X=4", overlapped(Design::kPull));
  const WorkPlan plan =
      plan_work(schedule, [](int, const Gemm&) { return std::optional<int>(); }, no_epilogues(), any_sum);
  EXPECT_TRUE(plan.runs.empty());
  expect_sound(schedule, plan);
}

TEST(WorkPlan, IsSoundForEveryDesignOfManyStatements) {
  constexpr std::pair<const char*, const char*> kStatements[] = {
      {kGather, "X=3"},
      {"bf16 A[M=64, K=32_X] * B[K_X, N=48] -> C[M_X, N]", "X=4"},
      {"bf16 A[M=64, K=32_X] * B[K_X, N=48] -> C[M, N]", "X=4"},
      {"bf16 A[M=61_X, K=32] * B[K_X, N=48] -> C[M_X, N]", "X=4"},
      {"bf16 A[M=64_X, K=32_Y] * B[K_Y, N=48_X] -> C[M_Y, N_X]", "X=2,Y=2"},
      {"bf16 A[B=6_X, M=10, K=9] * B[B, K, N=8_X] -> C[B, M, N_X]", "X=2"},
  };
  for (const auto& [statement, mesh] : kStatements)
    for (const Design design :
         {Design::kSequential, Design::kInPlace, Design::kPull, Design::kPush, Design::kRing, Design::kRingBothWays}) {
      SCOPED_TRACE(fmt::format("{} {} {}", statement, mesh, name(design)));
      const Schedule schedule = built(statement, mesh, overlapped(design));
      expect_sound(schedule, plan_work(schedule, every_gemm(), no_epilogues(), any_sum));
      expect_sound(schedule, plan_work(schedule, every_gemm(), no_epilogues(), no_sum));
      // Kernels of two kinds, in turns, are runs of their own; some products have none.
      int turn = 0;
      const KernelOf in_turns = [&](int, const Gemm&) {
        ++turn;
        return turn % 3 == 0 ? std::nullopt : std::optional(turn % 3);
      };
      expect_sound(schedule, plan_work(schedule, in_turns, no_epilogues(), any_sum));
      // With epilogues too all comes to its end.
      const WorkPlan ended =
          plan_work(schedule, every_gemm(), [](const Gemm&, const PlannedEpilogue&) { return true; }, any_sum);
      for (unsigned seed = 0; seed < 5; ++seed) ASSERT_EQ(RandomRun(schedule, ended, seed, false).run(), "");
    }
}

WorkPlan plan_of(const char* lanes) {
  return plan_work(parse_schedule(fmt::format(R"(meshmul schedule 1
mesh X=1
requires nothing
buffer a bf16 [8, 8] symmetric
buffer b bf16 [8, 8] symmetric
buffer c bf16 [8, 8] symmetric
buffer d bf16 [8, 8] symmetric
buffer s f32 [8, 8] private
signal come
signal go
rank 0
{})",
                                              lanes)),
                   every_gemm(), no_epilogues(), any_sum);
}

TEST(WorkPlan, LetsAProductWaitForTheOneWhoseResultItReads) {
  const WorkPlan plan = plan_of(R"(  lane compute
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm d[0:8, 0:8] c[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm d[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
)");
  ASSERT_EQ(plan.runs.size(), 1U);
  const std::vector<PlannedProduct>& products = plan.runs.front().products;
  EXPECT_TRUE(products[0].needs.empty());
  EXPECT_TRUE(products[0].is_awaited);
  EXPECT_THAT(products[1].needs, testing::ElementsAre(Need{Need::Of::kProduct, 0, 1}));
  EXPECT_FALSE(products[1].may_join);
  EXPECT_TRUE(products[2].continues);
  EXPECT_THAT(products[2].needs, testing::IsEmpty());
  // It overwrites what the second one reads.
  EXPECT_FALSE(products[3].continues);
  EXPECT_THAT(products[3].needs, testing::ElementsAre(Need{Need::Of::kProduct, 1, 3}));
}

TEST(WorkPlan, LetsProductsGoAheadOfTasksThatTheyDoNotTouch) {
  const WorkPlan plan = plan_of(R"(  lane compute
    gemm c[0:4, 0:8] a[0:4, 0:8] b[0:8, 0:8] ik,kj->ij
    copy d[0:4, 0:8] c[0:4, 0:8]
    gemm c[4:8, 0:8] a[4:8, 0:8] b[0:8, 0:8] ik,kj->ij
    copy d[4:8, 0:8] c[4:8, 0:8]
)");
  ASSERT_EQ(plan.runs.size(), 1U);
  const std::vector<PlannedProduct>& products = plan.runs.front().products;
  EXPECT_TRUE(products[1].needs.empty());
  // Its rows lie below the first ones, but these are looked at before.
  EXPECT_FALSE(products[1].may_join);
  ASSERT_EQ(plan.tasks.size(), 2U);
  EXPECT_THAT(plan.tasks[0].needs, testing::ElementsAre(Need{Need::Of::kProduct, 0, 1}));
  EXPECT_THAT(plan.tasks[1].needs, testing::ElementsAre(Need{Need::Of::kProduct, 1, 3}));
}

TEST(WorkPlan, RaisesASignalBehindAWaitOnlyOnceThatHasPassed) {
  const WorkPlan plan = plan_of(R"(  lane compute
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    wait come >= 1
    signal 0 go
  lane copy0
    signal 0 come
)");
  ASSERT_EQ(plan.tasks.size(), 2U);
  EXPECT_TRUE(plan.runs.front().products.front().raises.empty());
  EXPECT_THAT(plan.tasks[0].needs, testing::ElementsAre(Need{Need::Of::kSignal, 0, 1}, Need{Need::Of::kProduct, 0, 2}));
}

TEST(WorkPlan, MakesASumOneTaskBehindAllOfItsWaits) {
  const WorkPlan plan = plan_of(R"(  lane compute
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    copy s[0:8, 0:8] c[0:8, 0:8]
    wait come >= 1
    reduce s[0:8, 0:8] a[0:8, 0:8]
    copy d[0:8, 0:8] s[0:8, 0:8] arrived go
    copy s[0:8, 0:8] a[0:8, 0:8]
    gemm c[0:8, 0:8] d[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
  lane copy0
    signal 0 come
)");
  ASSERT_EQ(plan.tasks.size(), 3U);
  const Task& sum = plan.tasks[0];
  EXPECT_EQ(sum.op, 1);
  EXPECT_EQ(sum.last_op, 4);
  ASSERT_TRUE(sum.sum);
  EXPECT_EQ(sum.sum->terms.size(), 2U);
  EXPECT_THAT(sum.needs, testing::ElementsAre(Need{Need::Of::kSignal, 0, 2}, Need{Need::Of::kProduct, 0, 4}));
  EXPECT_EQ(sum.raises.size(), 1U);
  // What is not written is not waited for.
  EXPECT_FALSE(plan.tasks[1].sum);
  EXPECT_TRUE(plan.tasks[1].needs.empty());
  EXPECT_THAT(
      plan.runs.front().products[1].needs,
      testing::ElementsAre(Need{Need::Of::kSignal, 0, 2}, Need{Need::Of::kTask, 0, 6}, Need{Need::Of::kProduct, 0, 6}));
}

TEST(WorkPlan, RaisesASignalOfAProductBehindTasksAheadOfIt) {
  // docs/schedule-ir.md, rule 3: a raise publishes all synchronous ops ahead of it in its lane.
  const WorkPlan plan = plan_of(R"(  lane compute
    copy d[0:8, 0:8] b[0:8, 0:8]
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij arrived go
  lane copy0
    wait go >= 1
    copy s[0:8, 0:8] d[0:8, 0:8]
)");
  ASSERT_EQ(plan.runs.size(), 1U);
  const PlannedProduct& product = plan.runs.front().products.front();
  const auto of_task = [](const std::vector<Need>& needs) {
    return std::ranges::any_of(needs, [](const Need& need) { return need.of == Need::Of::kTask; });
  };
  // Either the product waits for the copy, or a task behind both raises the signal.
  EXPECT_TRUE(product.raises.empty() || of_task(product.needs) || of_task(product.epilogue_needs));
}

TEST(WorkPlan, RaisesASignalOfATaskBehindProductsAheadOfIt) {
  const WorkPlan plan = plan_of(R"(  lane compute
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    copy d[0:8, 0:8] b[0:8, 0:8] arrived go
  lane copy0
    wait go >= 1
    copy s[0:8, 0:8] c[0:8, 0:8]
)");
  for (const Task& task : plan.tasks)
    if (!task.raises.empty()) {
      EXPECT_THAT(task.needs, testing::Contains(testing::Field(&Need::of, Need::Of::kProduct)));
    }
}

TEST(WorkPlan, LetsASumThatGoesOnWaitForAnOlderProductThatItReads) {
  const WorkPlan plan = plan_of(R"(  lane compute
    gemm d[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm c[0:8, 0:8] d[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
)");
  ASSERT_EQ(plan.runs.size(), 1U);
  EXPECT_THAT(plan.runs.front().products[2].needs, testing::Contains(Need{Need::Of::kProduct, 0, 2}));
}

TEST(WorkPlan, WaitsBeforeAProductThatIsOnlyRounded) {
  // No step of an epilogue is there to wait behind the product.
  const Schedule schedule = parse_schedule(R"(meshmul schedule 1
mesh X=1
requires nothing
buffer a bf16 [8, 8] symmetric
buffer b bf16 [8, 8] symmetric
buffer c bf16 [8, 8] symmetric
buffer s f32 [8, 8] private
signal come
rank 0
  lane compute
    gemm s[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    wait come >= 1
    copy c[0:8, 0:8] s[0:8, 0:8]
  lane copy0
    map c[0:8, 0:8] zero
    signal 0 come
)");
  const WorkPlan plan =
      plan_work(schedule, every_gemm(), [](const Gemm&, const PlannedEpilogue&) { return true; }, any_sum);
  const PlannedProduct& product = plan.runs.front().products.front();
  ASSERT_TRUE(product.epilogue);
  EXPECT_TRUE(product.epilogue->steps.empty());
  EXPECT_THAT(product.needs, testing::ElementsAre(Need{Need::Of::kSignal, 0, 1}));
}

TEST(WorkPlan, DoesNotEndASumThatKernelsOfTwoKindsMake) {
  const Schedule schedule = parse_schedule(R"(meshmul schedule 1
mesh X=1
requires nothing
buffer a bf16 [8, 8] symmetric
buffer b bf16 [8, 8] symmetric
buffer c bf16 [8, 8] symmetric
buffer s f32 [8, 8] private
rank 0
  lane compute
    gemm s[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm s[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,jk->ij accumulate
    copy c[0:8, 0:8] s[0:8, 0:8]
)");
  const WorkPlan plan = plan_work(
      schedule, [](int, const Gemm& gemm) { return std::optional(gemm.einsum == "ik,kj->ij" ? 0 : 1); },
      [](const Gemm&, const PlannedEpilogue&) { return true; }, any_sum);
  // A product that neither goes on with the one before it nor adds to its region loses what that has made.
  for (const ProductRun& run : plan.runs)
    for (const PlannedProduct& product : run.products)
      if (product.op == 1) {
        EXPECT_TRUE(product.continues || !product.result);
      }
}

TEST(WorkPlan, NamesTheWaitThatIsNeverPassed) {
  const Schedule schedule = parse_schedule(R"(meshmul schedule 1
mesh X=2
requires nothing
signal come
rank 1
  lane compute
    wait come >= 1
)");
  try {
    plan_work(schedule, every_gemm(), no_epilogues(), any_sum);
    FAIL() << "it was planned";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "rank 1, lane compute, op 0: wait come >= 1: nothing that runs before raises its signal as often");
  }
}

}  // namespace
}  // namespace meshmul::cuda
