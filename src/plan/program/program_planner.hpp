#pragma once
// Everything that plans of one program on one machine start from. Its parts refer to each other.

#include <limits>
#include <optional>
#include <vector>

#include "meshmul/error.hpp"
#include "meshmul/program_plan.hpp"
#include "plan/program/program_search.hpp"

namespace meshmul {

/// A program without gradients, or with all of them written out in one way, and what there is to decide.
struct ProgramVariant {
  DifferentiatedProgram written;
  Choices choices;
};

/// The ways to write out the gradients of a program, each once: the first keeps most and computes least.
std::vector<ProgramVariant> variants_of(const Program& program, const AxisNumbering& axes, const PlanOptions& options);

class ProgramPlanner {
 public:
  /// What it is made from has to outlive it.
  ProgramPlanner(const ProgramVariant& variant, const AxisNumbering& axes, const Machine& machine,
                 const PlanOptions& options);
  ProgramPlanner(const ProgramPlanner&) = delete;
  ProgramPlanner& operator=(const ProgramPlanner&) = delete;

  /// The fastest plan by the rules that fits; if none does, the fastest of those that need the least. Nothing if the
  /// written shardings leave no plan.
  std::optional<PlannedProgram> best(const StrategyRules& rules) const;

  /// Whether it fits where `other` does not; or both fit and it is faster; or none fits and it needs less memory. Memory
  /// does not depend on the machine, so that what fits on one fits on all.
  bool is_better(const PlannedProgram& planned, const PlannedProgram& other) const;

  /// The best plan of each strategy that is not the winner's; the fastest first.
  std::vector<PlannedProgram> others(const PlannedProgram& winner) const;

  /// The plans that fit of which no other is better in both time and peak; the fastest first. Empty if none fits.
  std::vector<PlannedProgram> front() const;

  /// `best`, with what it was planned for; without losers.
  ProgramPlan plan_with(PlannedProgram best) const;

 private:
  PlannedProgram written(const Assignment& assignment, const SearchTerms& terms) const;

  const std::vector<Activation>& activations_;
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
