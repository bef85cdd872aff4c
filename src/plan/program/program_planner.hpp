#pragma once
// Everything that plans of one program on one machine start from. Its parts refer to each other.

#include <limits>
#include <optional>
#include <vector>

#include "meshmul/error.hpp"
#include "meshmul/program_plan.hpp"
#include "plan/program/program_search.hpp"

namespace meshmul {

class ProgramPlanner {
 public:
  /// What it is made from has to outlive it.
  ProgramPlanner(const Program& program, const AxisNumbering& axes, const Choices& choices, const Machine& machine,
                 const PlanOptions& options);
  ProgramPlanner(const ProgramPlanner&) = delete;
  ProgramPlanner& operator=(const ProgramPlanner&) = delete;

  /// The fastest plan by the rules that fits; if none does, the fastest of those that need the least. Nothing if the
  /// written shardings leave no plan.
  std::optional<PlannedProgram> best(const StrategyRules& rules) const;

  /// The best plan of each strategy that is not the winner's; the fastest first.
  std::vector<PlannedProgram> others(const PlannedProgram& winner) const;

  /// The plans that fit of which no other is better in both time and peak; the fastest first. Empty if none fits.
  std::vector<PlannedProgram> front() const;

  /// `best`, with what it was planned for; without losers.
  ProgramPlan plan_with(PlannedProgram best) const;

 private:
  const Machine& machine_;
  CostModel cost_;
  ProgramSetting setting_;
  PreparedProgram prepared_;
  std::vector<bool> is_weight_;
  std::optional<std::int64_t> memory_limit_;
  double memory_limit_bytes_ = std::numeric_limits<double>::infinity();
  bool overlapped_;
};

/// The time that counts.
double seconds(const PlannedProgram& planned, bool overlapped);

/// Says what the limit was and whose, and the least that would do; `smallest` is what has it.
Error no_program_fits(const Hardware& hardware, const PlanOptions& options, const PlannedProgram& smallest,
                      const Mesh& mesh);

}  // namespace meshmul
