#include "check/parallel.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "meshmul/error.hpp"

namespace meshmul::checking {
namespace {

TEST(ForEachTask, DoesEveryTaskOnce) {
  for (const int num_threads : {1, 4}) {
    std::vector<std::atomic<int>> done(1000);
    for_each_task(1000, num_threads, {}, [&](int thread, std::int64_t task) {
      EXPECT_GE(thread, 0);
      EXPECT_LT(thread, num_threads);
      ++done[static_cast<std::size_t>(task)];
    });
    for (const std::atomic<int>& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(ForEachTask, ThrowsOnWhatATaskThrows) {
  EXPECT_THROW(for_each_task(100, 3, {},
                             [](int, std::int64_t task) {
                               if (task == 50) throw std::runtime_error("task 50");
                             }),
               std::runtime_error);
}

TEST(ForEachTask, EndsWhenItIsInterrupted) {
  int num_tasks = 0;
  int num_polls = 0;
  try {
    for_each_task(100, 1, [&] { return ++num_polls == 10; }, [&](int, std::int64_t) { ++num_tasks; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
    EXPECT_STREQ(error.what(), "the check was interrupted");
  }
  EXPECT_EQ(num_tasks, 9);
}

}  // namespace
}  // namespace meshmul::checking
