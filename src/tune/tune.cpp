#include "meshmul/tune.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

struct Question {
  std::string plan;  // as JSON, which says all that a schedule is made from
  Hardware hardware;
  Capabilities available;
  SimulateOptions options;
  bool operator==(const Question&) const = default;
};

// The answers to the latest questions. A model asks the same few, once for every layer.
class Memory {
 public:
  std::optional<std::vector<Candidate>> find(const Question& question) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [asked, answer] : answers_)
      if (asked == question) return answer;
    return std::nullopt;
  }

  void keep(Question question, const std::vector<Candidate>& answer) {
    constexpr std::size_t kMostAnswers = 64;
    const std::lock_guard lock(mutex_);
    answers_.emplace_front(std::move(question), answer);
    if (answers_.size() > kMostAnswers) answers_.pop_back();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<std::pair<Question, std::vector<Candidate>>> answers_;
};

template <class AnyPlan>
std::vector<Candidate> tune_plan(const AnyPlan& plan, const Hardware& hardware, const Capabilities& available,
                                 const SimulateOptions& options) {
  static Memory memory;
  Question question{plan_json(plan), hardware, available, options};
  if (auto known = memory.find(question)) return *std::move(known);
  const Topology topology = topology_of(plan, hardware);
  std::vector<Candidate> candidates;
  for (const LowerOptions& way : ways_to_build(plan, hardware, available)) {
    const Schedule schedule = legalize(lower(plan, way), available);
    try {
      candidates.push_back(
          {way, simulate(schedule, hardware, topology, options).makespan_ps, bytes_per_rank(schedule)});
    } catch (const Error&) {  // it runs for weeks, or the chip has no rate for the product
      continue;
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.makespan_ps < b.makespan_ps; });
  memory.keep(std::move(question), candidates);
  return candidates;
}

}  // namespace

std::vector<Candidate> tune(const Plan& plan, const Hardware& hardware, const Capabilities& available,
                            const SimulateOptions& options) {
  return tune_plan(plan, hardware, available, options);
}

std::vector<Candidate> tune(const ProgramPlan& plan, const Hardware& hardware, const Capabilities& available,
                            const SimulateOptions& options) {
  return tune_plan(plan, hardware, available, options);
}

LowerOptions fastest(const std::vector<Candidate>& candidates, std::optional<std::int64_t> memory_bytes) {
  for (const Candidate& candidate : candidates)
    if (!memory_bytes || candidate.bytes_per_rank <= *memory_bytes) return candidate.lower;
  return {Algorithm::kDirect, {}};
}

}  // namespace meshmul
