#pragma once
// Everything that a search of a gradient starts from.

#include <gtest/gtest.h>

#include "plan/program/program_planner.hpp"
#include "plan/toy_hardware.hpp"

namespace meshmul::testing {

class GradientSearchTest : public ::testing::Test {
 protected:
  static constexpr const char* kText =
      "In[B=64, D=32]?\nW1[D, F=64]?\nW2[F, D]?\nH = relu(In * W1)\nOut = H * W2 like In\n"
      "grad Out(dOut) -> dIn, dW1, dW2\n";

  GradientSearchTest() {
    for (int number = 0; number < num_tasks(); ++number)
      tables_.push_back(table_of(number, prepared_.tasks[at(number)], prepared_.ways[at(number)], setting_,
                                 prepared_.relevance, terms_));
  }

  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  int num_tasks() const { return static_cast<int>(prepared_.tasks.size()); }

  const Mesh mesh_{{"X", 2}};
  const AxisNumbering axes_{mesh_};
  const PlanOptions options_;
  const Hardware hardware_ = toy_hardware();
  const Machine machine_ = machines(mesh_, hardware_, options_).front();
  const ProgramVariant variant_ = variants_of(parse_program(kText, mesh_), axes_, options_).front();
  const CostModel cost_{axes_, machine_};
  const ProgramSetting setting_{variant_.written.program, variant_.choices, axes_, cost_, machine_, {}};
  const PreparedProgram prepared_{setting_};
  const std::vector<bool> is_weight_ = weights_of(variant_.written.program);
  const SearchTerms terms_{Aim::kFront, {}, is_weight_, false};
  std::vector<TaskTable> tables_;
};

}  // namespace meshmul::testing
