#include "plan/program/outlook.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "plan/program/gradient_search.hpp"

namespace meshmul {
namespace {

class OutlookTest : public testing::GradientSearchTest {
 protected:
  /// The least time of task `number` with these options.
  double seconds(int number, const std::vector<int>& options) const {
    const TaskTable& table = tables_[at(number)];
    std::size_t row = 0;
    for (std::size_t i = 0; i < table.choices.size(); ++i) row += table.strides[i] * at(options[at(table.choices[i])]);
    double least = std::numeric_limits<double>::infinity();
    for (const TaskRow& way : table.rows[row]) least = std::min(least, way.time.seconds);
    return static_cast<double>(prepared_.tasks[at(number)].times) * least;
  }
};

TEST_F(OutlookTest, PromisesNoMoreThanAnyAssignmentTakes) {
  const Outlook outlook(prepared_.tasks, tables_, prepared_.relevance, variant_.choices);
  const std::vector<Assignment> all = search_program(prepared_, terms_);
  ASSERT_GT(all.size(), 1U);
  for (const Assignment& assignment : all) {
    double rest = 0;
    for (int number = num_tasks() - 1; number >= 0; --number) {
      EXPECT_LE(outlook.seconds_after(number, assignment.options), rest * (1 + 1e-12)) << number;
      rest += seconds(number, assignment.options);
    }
    EXPECT_LE(rest, assignment.time.seconds * (1 + 1e-12));
  }
}

TEST_F(OutlookTest, KnowsWhatIsSettled) {
  const Outlook outlook(prepared_.tasks, tables_, prepared_.relevance, variant_.choices);
  const int last = num_tasks() - 1;
  for (const int choice : tables_[at(last)].choices)
    ASSERT_TRUE(prepared_.relevance.crosses(choice, last - 1)) << "all that the last task sees was there before";
  for (const Assignment& assignment : search_program(prepared_, terms_))
    EXPECT_DOUBLE_EQ(outlook.seconds_after(last - 1, assignment.options), seconds(last, assignment.options));
}

}  // namespace
}  // namespace meshmul
