#include "plan/program/outlook.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "meshmul/pareto.hpp"
#include "plan/program/program_planner.hpp"
#include "plan/toy_hardware.hpp"

namespace meshmul {
namespace {

/// Everything that a search of a gradient starts from.
class OutlookTest : public ::testing::Test {
 protected:
  static constexpr const char* kText =
      "In[B=64, D=32]?\nW1[D, F=64]?\nW2[F, D]?\nH = relu(In * W1)\nOut = H * W2 like In\n"
      "grad Out(dOut) -> dIn, dW1, dW2\n";

  OutlookTest() {
    for (int number = 0; number < num_tasks(); ++number)
      tables_.push_back(table_of(number, prepared_.tasks[at(number)], prepared_.ways[at(number)], setting_,
                                 prepared_.relevance, terms_));
  }

  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  int num_tasks() const { return static_cast<int>(prepared_.tasks.size()); }

  /// The least time of task `number` with these options.
  double seconds(int number, const std::vector<int>& options) const {
    const TaskTable& table = tables_[at(number)];
    std::size_t row = 0;
    for (std::size_t i = 0; i < table.choices.size(); ++i) row += table.strides[i] * at(options[at(table.choices[i])]);
    double least = std::numeric_limits<double>::infinity();
    for (const TaskRow& way : table.rows[row]) least = std::min(least, way.time.seconds);
    return static_cast<double>(prepared_.tasks[at(number)].times) * least;
  }

  const Mesh mesh_{{"X", 2}};
  const AxisNumbering axes_{mesh_};
  const PlanOptions options_;
  const Hardware hardware_ = testing::toy_hardware();
  const Machine machine_ = machines(mesh_, hardware_, options_).front();
  const ProgramVariant variant_ = variants_of(parse_program(kText, mesh_), axes_, options_).front();
  const CostModel cost_{axes_, machine_};
  const ProgramSetting setting_{variant_.written.program, variant_.choices, axes_, cost_, machine_, {}};
  const PreparedProgram prepared_{setting_};
  const std::vector<bool> is_weight_ = weights_of(variant_.written.program);
  const SearchTerms terms_{Aim::kFront, {}, is_weight_, false};
  std::vector<TaskTable> tables_;
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

TEST(SearchOfAGradient, FindsTheFastestOfTheFront) {
  const Mesh mesh{{"X", 2}, {"Y", 2}};
  const Program program = parse_program(
      "In[B=64, D=32_X]\nW1[D, F=64]?\nW2[F, D]?\nH = relu(In * W1)\nOut = H * W2 like In\n"
      "grad Out(dOut) -> dW1, dW2\n",
      mesh);
  const Hardware hardware = testing::toy_hardware();
  EXPECT_DOUBLE_EQ(plan(program, mesh, hardware, {}).best.seconds_sequential,
                   pareto_front(program, mesh, hardware, {}).front().best.seconds_sequential);
}

}  // namespace
}  // namespace meshmul
