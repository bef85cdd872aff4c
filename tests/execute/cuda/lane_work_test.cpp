// The protocol of the kernel of lanes, with threads as workers of several devices: what comes before what, every share
// once, what is raised when, run after run.

#include "execute/cuda/lane_work.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "execute/cuda/host_words.hpp"

namespace meshmul::cuda {
namespace {

constexpr std::uint64_t kLongNs = 60'000'000'000;

/// Tables of one device as its kernel sees them. Tasks are added lane by lane.
class HostDevice {
 public:
  void add_lane() {
    const auto first = static_cast<std::int32_t>(tasks_.size());
    lanes_.push_back({first, first, static_cast<std::int32_t>(waits_.size())});
  }
  void add_task(std::int32_t num_shares, const std::vector<SignalWait>& waits, const std::vector<SignalRaise>& raises,
                std::int32_t op = -1) {
    LaneTask task;
    task.lane = static_cast<std::int32_t>(lanes_.size()) - 1;
    task.num_shares = num_shares;
    task.op = op;
    waits_.insert(waits_.end(), waits.begin(), waits.end());
    task.end_wait = static_cast<std::int32_t>(waits_.size());
    task.first_raise = static_cast<std::int32_t>(raises_.size());
    task.num_raises = static_cast<std::int32_t>(raises.size());
    raises_.insert(raises_.end(), raises.begin(), raises.end());
    tasks_.push_back(task);
    lanes_.back().end_task = static_cast<std::int32_t>(tasks_.size());
  }

  /// Counts as they are behind all runs before `run`.
  void begin_with(std::uint64_t run, std::uint64_t budget_ns = kLongNs) {
    for (const LaneTask& task : tasks_)
      finished_.push_back(static_cast<std::uint32_t>(run * static_cast<std::uint64_t>(task.num_shares)));
    for (std::size_t i = 0; i < lanes_.size(); ++i) done_[i] = run * static_cast<std::uint64_t>(lanes_[i].num_tasks());
    taken_.resize(tasks_.size());
    work_.lanes = lanes_.data();
    work_.tasks = tasks_.data();
    work_.waits = waits_.data();
    work_.raises = raises_.data();
    work_.taken = taken_.data();
    work_.finished = finished_.data();
    work_.done = done_.data();
    work_.control = {&expired_, &abort_, budget_ns};
    work_.num_lanes = static_cast<std::int32_t>(lanes_.size());
  }
  /// Nobody works meanwhile.
  void begin_run() { std::ranges::fill(taken_, 0U); }

  /// A word that can be waited for before all lanes are there.
  const std::uint64_t* done(int lane) const { return &done_[static_cast<std::size_t>(lane)]; }
  LaneWork& work() { return work_; }
  const ExpiredWait& expired() const { return expired_; }

 private:
  static constexpr std::size_t kMostLanesOfTests = 8;
  std::vector<TaskLane> lanes_;
  std::vector<LaneTask> tasks_;
  std::vector<SignalWait> waits_;
  std::vector<SignalRaise> raises_;
  std::vector<std::uint32_t> taken_, finished_;
  std::vector<std::uint64_t> done_ = std::vector<std::uint64_t>(kMostLanesOfTests);
  ExpiredWait expired_;
  std::uint32_t abort_ = 0;
  LaneWork work_;
};

/// What a warp does in run `run`: `do_share(task, share)`, lanes in turn.
template <class DoShare>
void work_through(const LaneWork& work, std::uint64_t run, std::size_t turn, DoShare do_share) {
  const HostWords words;
  std::vector<LaneWalk> walks;
  for (std::int32_t lane = 0; lane < work.num_lanes; ++lane) walks.emplace_back(work, lane);
  for (std::uint32_t idle = 0;;) {
    std::size_t looked = 0;
    while (looked < walks.size() && !walks[(turn + looked) % walks.size()].ready(work, run, words)) ++looked;
    if (looked == walks.size()) {
      if (std::ranges::all_of(walks, [](const LaneWalk& walk) { return walk.done(); })) return;
      if (++idle % 16 == 0) {
        if (aborted(work.control, words)) return;
        for (LaneWalk& walk : walks)
          if (!walk.done()) walk.look_at_clock(work, run, words);
      }
      words.pause();
      continue;
    }
    idle = 0;
    LaneWalk& walk = walks[(turn + looked) % walks.size()];
    turn = (turn + looked + 1) % walks.size();
    const std::int32_t number = walk.task();
    const LaneTask& task = work.tasks[number];
    const std::int32_t share = take_share(work, number, words);
    if (share >= task.num_shares - 1) walk.advance();
    if (share >= task.num_shares) continue;
    do_share(number, share);
    finish_share(work, number, run, words);
  }
}

constexpr int kDevices = 3, kLanes = 3, kWorkers = 3;
constexpr std::uint64_t kRuns = 12;

/// Tasks and products of several devices, each behind some that were made before it: so none waits for ever. A task
/// writes the number of the run for each of its shares, and reads what those wrote that it needs.
class RandomWorld {
 public:
  RandomWorld(unsigned seed, std::uint64_t first_run) : random_(seed), devices_(kDevices), product_words_(kDevices) {
    make_items(first_run);
    make_tables(first_run);
  }

  HostDevice& device(int device) { return devices_[static_cast<std::size_t>(device)]; }

  void do_share(int device, std::int32_t task, std::int32_t share, std::uint64_t run) {
    Item& item = items_[tasks_of_[static_cast<std::size_t>(device)][static_cast<std::size_t>(task)]];
    look_at_needs(item, run);
    std::uint64_t& cell = item.cells[static_cast<std::size_t>(share)];
    if (cell != run - 1) ++wrong_;  // also if it is done twice
    cell = run;
  }

  /// The product kernel of a device.
  void multiply(int device, std::uint64_t run) {
    const HostWords words;
    for (Item& item : items_) {
      if (!item.is_product || item.device != device) continue;
      for (const std::size_t need : item.needs)
        wait_for(wait_of(item, items_[need]), run, this->device(device).work().control, words);
      look_at_needs(item, run);
      if (item.cells[0] != run - 1) ++wrong_;
      item.cells[0] = run;
      words.raise_release(&product_words_[static_cast<std::size_t>(device)],
                          run * num_products(device) + item.number + 1);
    }
  }

  /// Empty if all is as it must be behind run `run`.
  std::string failure(std::uint64_t run) {
    if (wrong_ != 0) return "what was needed was not there, or a share was done twice";
    for (const Item& item : items_)
      for (const std::uint64_t cell : item.cells)
        if (cell != run) return "a share was not done";
    for (const Item& item : items_)
      if (item.num_raised != nullptr && item.raised == *item.num_raised &&
          words_[item.word] != (run + 1) * *item.num_raised)
        return "a signal was not raised as often as it must be";
    for (HostDevice& device : devices_)
      if (device.expired().state != 0) return "a wait ran out";
    return "";
  }

 private:
  struct Item {
    bool is_product = false;
    int device = 0;
    int lane = 0;              // of a task
    std::uint64_t number = 0;  // in its lane, or of the products of its device
    std::vector<std::size_t> needs;
    std::vector<std::uint64_t> cells;
    // The signal of a task: the word of its lane.
    std::size_t word = 0;
    std::uint64_t raised = 0;  // 0: none
    std::uint64_t* num_raised = nullptr;
  };

  void make_items(std::uint64_t first_run) {
    const std::size_t num_items = 20 + random_() % 30;
    std::vector<std::uint64_t> in_lane(kDevices * kLanes), products(kDevices);
    raises_per_run_.resize(kDevices * kLanes);
    words_.resize(kDevices * kLanes);
    for (std::size_t i = 0; i < num_items; ++i) {
      Item item;
      item.is_product = random_() % 5 == 0;
      item.device = static_cast<int>(random_() % kDevices);
      item.lane = static_cast<int>(random_() % kLanes);
      item.word = static_cast<std::size_t>(item.device * kLanes + item.lane);
      item.number = item.is_product ? products[static_cast<std::size_t>(item.device)]++ : in_lane[item.word]++;
      item.cells.assign(item.is_product ? 1 : 1 + random_() % (random_() % 4 == 0 ? 30 : 3), first_run - 1);
      for (std::size_t need = 0; i > 0 && need < random_() % 3; ++need) {
        const std::size_t other = random_() % i;
        // Products of other devices tell nobody.
        if (!items_[other].is_product || (items_[other].device == item.device && !item.is_product))
          item.needs.push_back(other);
      }
      if (!item.is_product && random_() % 2 == 0) {
        item.num_raised = &raises_per_run_[item.word];
        item.raised = ++*item.num_raised;
      }
      items_.push_back(std::move(item));
    }
    // Whoever is needed elsewhere has to say so.
    for (Item& item : items_)
      std::erase_if(item.needs, [&](std::size_t need) {
        const Item& other = items_[need];
        return !other.is_product && other.num_raised == nullptr && !knows_counts(item, other);
      });
    for (std::size_t word = 0; word < words_.size(); ++word) words_[word] = first_run * raises_per_run_[word];
    for (int device = 0; device < kDevices; ++device)
      product_words_[static_cast<std::size_t>(device)] = first_run * num_products(device);
  }

  void make_tables(std::uint64_t first_run) {
    tasks_of_.resize(kDevices);
    for (int device = 0; device < kDevices; ++device) {
      HostDevice& tables = this->device(device);
      for (int lane = 0; lane < kLanes; ++lane) {
        tables.add_lane();
        for (std::size_t i = 0; i < items_.size(); ++i) {
          const Item& item = items_[i];
          if (item.is_product || item.device != device || item.lane != lane) continue;
          std::vector<SignalWait> waits;
          for (const std::size_t need : item.needs) waits.push_back(wait_of(item, items_[need]));
          std::vector<SignalRaise> raises;
          if (item.num_raised != nullptr) raises.push_back({&words_[item.word], *item.num_raised, item.raised});
          tables.add_task(static_cast<std::int32_t>(item.cells.size()), waits, raises);
          tasks_of_[static_cast<std::size_t>(device)].push_back(i);
        }
      }
      tables.begin_with(first_run);
    }
  }

  std::uint64_t num_products(int device) const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(items_, [&](const Item& item) { return item.is_product && item.device == device; }));
  }
  /// Tasks of their own lane, and products of the device, go by the counts of the device.
  static bool knows_counts(const Item& item, const Item& other) {
    return item.device == other.device && (item.is_product || item.lane == other.lane);
  }
  SignalWait wait_of(const Item& item, const Item& other) {
    if (other.is_product)
      return {&product_words_[static_cast<std::size_t>(other.device)], num_products(other.device), other.number + 1, 0};
    if (!knows_counts(item, other)) return {&words_[other.word], *other.num_raised, other.raised, 0};
    const auto in_lane = std::ranges::count_if(items_, [&](const Item& some) {
      return !some.is_product && some.device == other.device && some.lane == other.lane;
    });
    return wait_for_task(device(other.device).done(other.lane), static_cast<std::int32_t>(in_lane),
                         static_cast<std::int32_t>(other.number), 0);
  }

  /// Those it waited for, and all ahead of them.
  void look_at_needs(const Item& item, std::uint64_t run) {
    for (const std::size_t need : item.needs) {
      const Item& needed = items_[need];
      for (const Item& other : items_) {
        const bool ahead = other.is_product == needed.is_product && other.device == needed.device &&
                           (other.is_product || other.lane == needed.lane) && other.number <= needed.number;
        if (!ahead) continue;
        for (const std::uint64_t& cell : other.cells)
          if (cell != run) ++wrong_;
      }
    }
  }

  std::mt19937 random_;
  std::deque<HostDevice> devices_;
  std::deque<Item> items_;
  std::vector<std::uint64_t> raises_per_run_, words_, product_words_;
  std::vector<std::vector<std::size_t>> tasks_of_;  // by device and number of the task: the item
  std::atomic<int> wrong_{0};
};

void run_world(unsigned seed, std::uint64_t first_run) {
  SCOPED_TRACE(seed);
  RandomWorld world(seed, first_run);
  std::string failure;
  std::uint64_t run = first_run;
  std::barrier between(kDevices * (kWorkers + 1), [&]() noexcept {
    if (failure.empty()) failure = world.failure(run);
    for (int device = 0; device < kDevices; ++device) world.device(device).begin_run();
    ++run;
  });
  std::vector<std::thread> threads;
  for (int device = 0; device < kDevices; ++device) {
    threads.emplace_back([&, device] {
      for (std::uint64_t at = first_run; at < first_run + kRuns; ++at) {
        world.multiply(device, at);
        between.arrive_and_wait();
      }
    });
    for (int worker = 0; worker < kWorkers; ++worker)
      threads.emplace_back([&, device, worker] {
        std::mt19937 random(seed * 100 + static_cast<unsigned>(device * kWorkers + worker));
        for (std::uint64_t at = first_run; at < first_run + kRuns; ++at) {
          if (random() % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
          // One stays; others may find their multiprocessor taken.
          if (worker == 0 || random() % 4 != 0)
            work_through(world.device(device).work(), at, random() % kLanes,
                         [&](std::int32_t task, std::int32_t share) {
                           if (random() % 8 == 0) std::this_thread::yield();
                           world.do_share(device, task, share, at);
                         });
          between.arrive_and_wait();
        }
      });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failure, "");
}

TEST(LaneWork, ShowsEveryShareWhatItNeedsRunAfterRun) {
  for (unsigned seed = 1; seed <= 40; ++seed) run_world(seed, 1);
}

TEST(LaneWork, GoesOnWhereCountsOfSharesWrap) {
  for (unsigned seed = 1; seed <= 20; ++seed) run_world(seed, (std::uint64_t{1} << 32) - kRuns / 2);
}

TEST(LaneWork, CountsAndRaisesInTheOrderOfTheLaneWhoeverFinishesFirst) {
  std::uint64_t word = 0;
  std::vector<DeviceOpTimes> times(3);
  HostDevice device;
  device.add_lane();
  device.add_task(2, {}, {{&word, 3, 1}}, 0);
  device.add_task(1, {}, {}, 1);
  device.add_task(1, {}, {{&word, 3, 2}, {&word, 3, 3}}, 2);
  device.begin_with(0);
  device.work().times = times.data();
  const HostWords words;
  for (std::uint64_t run = 0; run < 3; ++run) {
    finish_share(device.work(), 2, run, words);
    finish_share(device.work(), 0, run, words);
    EXPECT_EQ(word, 3 * run);
    EXPECT_EQ(*device.done(0), 3 * run);
    finish_share(device.work(), 0, run, words);
    EXPECT_EQ(word, 3 * run + 1);
    EXPECT_EQ(*device.done(0), 3 * run + 1);
    finish_share(device.work(), 1, run, words);
    EXPECT_EQ(word, 3 * run + 3);
    EXPECT_EQ(*device.done(0), 3 * run + 3);
  }
  for (const DeviceOpTimes& time : times) EXPECT_TRUE(time.noted());
  EXPECT_LE(times[2].end, times[0].end);
  EXPECT_LE(times[0].end, times[1].end);
}

TEST(LaneWork, NeedsOneWorkerAlone) {
  std::uint64_t word = 0;
  HostDevice device;
  device.add_lane();
  device.add_task(1, {{&word, 1, 1, 0}}, {});
  device.add_lane();
  device.add_task(5, {}, {});
  device.add_task(3, {wait_for_task(device.done(1), 2, 0, 0)}, {{&word, 1, 1}});
  device.begin_with(0);
  std::vector<std::int32_t> order;
  work_through(device.work(), 0, 0, [&](std::int32_t task, std::int32_t) { order.push_back(task); });
  EXPECT_THAT(order, testing::ElementsAre(1, 1, 1, 1, 1, 2, 2, 2, 0));
  // A worker that comes when all is taken has nothing to do.
  work_through(device.work(), 0, 1, [&](std::int32_t task, std::int32_t) { order.push_back(task); });
  EXPECT_EQ(order.size(), 9U);
}

TEST(LaneWork, LeavesOneRecordOfAWaitThatNeverPassesAndLetsAllGo) {
  constexpr std::uint64_t kShortNs = 2'000'000;
  std::uint64_t never = 4;
  HostDevice device;
  device.add_lane();
  device.add_task(3, {}, {});
  device.add_task(3, {{&never, 2, 2, 17}}, {{&never, 2, 1}});
  device.add_lane();
  device.add_task(7, {}, {});
  device.begin_with(2, kShortNs);
  std::atomic<int> shares[3] = {};
  std::vector<std::thread> workers;
  for (std::size_t worker = 0; worker < 4; ++worker)
    workers.emplace_back([&, worker] {
      work_through(device.work(), 2, worker, [&](std::int32_t task, std::int32_t) { ++shares[task]; });
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(device.expired().state, 2U);
  EXPECT_EQ(device.expired().op, 17);
  EXPECT_EQ(device.expired().expected, 6U);
  EXPECT_EQ(device.expired().seen, 4U);
  // Lanes that wait for nothing came to their ends.
  EXPECT_EQ(shares[0], 3);
  EXPECT_EQ(shares[1], 0);
  EXPECT_EQ(shares[2], 7);
  EXPECT_EQ(never, 4U);
}

}  // namespace
}  // namespace meshmul::cuda
