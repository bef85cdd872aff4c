#include "plan/program/memory_outlook.hpp"

#include "plan/program/gradient_search.hpp"

namespace meshmul {
namespace {

class MemoryOutlookTest : public testing::GradientSearchTest {
 protected:
  const Choices& choices() const { return variant_.choices; }

  /// Of given arrays and finished outputs that there are after task `number`.
  double lasting_bytes(int number, const std::vector<int>& options) const {
    double bytes = 0;
    for (int task = 0; task <= number; ++task) {
      for (int choice = 0; choice < choices().num_choices(); ++choice)
        if (prepared_.relevance.begins(choice, task))
          bytes += prepared_.relevance.given_bytes(choice, options[at(choice)]);
      for (const ValueId value : prepared_.tasks[at(task)].finished)
        bytes += choices().bytes(value, options[at(choices().of(value))]);
    }
    return bytes;
  }
};

TEST_F(MemoryOutlookTest, PromisesNoMoreThanAnyAssignmentTakes) {
  const MemoryOutlook outlook(prepared_.tasks, tables_, prepared_.relevance, choices());
  const std::vector<Assignment> all = search_program(prepared_, terms_);
  ASSERT_GT(all.size(), 1U);
  for (const Assignment& assignment : all)
    for (int number = 0; number < num_tasks(); ++number)
      EXPECT_LE(lasting_bytes(number, assignment.options) + outlook.bytes_after(number, assignment.options),
                assignment.peak_bytes)
          << number;
}

TEST_F(MemoryOutlookTest, CountsWhatIsKeptAsItLies) {
  const MemoryOutlook outlook(prepared_.tasks, tables_, prepared_.relevance, choices());
  std::vector<int> options(at(choices().num_choices()), 0);
  const int before = num_tasks() - 2;
  ASSERT_FALSE(prepared_.tasks.back().kept.empty());
  const ValueId value = prepared_.tasks.back().kept.front();
  int& own = options[at(choices().of(value))];
  const double first = outlook.bytes_after(before, options);
  ASSERT_GT(choices().num_options(choices().of(value)), 1);
  for (own = 1; own < choices().num_options(choices().of(value)); ++own)
    EXPECT_EQ(outlook.bytes_after(before, options) - first, choices().bytes(value, own) - choices().bytes(value, 0));
}

TEST_F(MemoryOutlookTest, HasNothingAfterTheLastTask) {
  const MemoryOutlook outlook(prepared_.tasks, tables_, prepared_.relevance, choices());
  const std::vector<int> options = search_program(prepared_, terms_).front().options;
  EXPECT_EQ(outlook.bytes_after(num_tasks() - 1, options), 0);
}

}  // namespace
}  // namespace meshmul
