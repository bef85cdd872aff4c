#include "meshmul/tune.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "meshmul/error.hpp"
#include "mixed_way.hpp"
#include "schedule/op_count.hpp"

namespace meshmul {
namespace {

struct Question {
  std::string plan;  // as JSON, which says all that a schedule is made from
  Hardware hardware;
  Capabilities available;
  SimulateOptions options;
  std::optional<std::int64_t> memory_bytes;
  bool operator==(const Question&) const = default;
};

// The answers to the latest questions. A model asks the same few, once for every layer.
template <class Way>
class Memory {
 public:
  using Candidates = std::vector<CandidateOf<Way>>;

  std::optional<Candidates> find(const Question& question) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [asked, answer] : answers_)
      if (asked == question) return answer;
    return std::nullopt;
  }

  void keep(Question question, const Candidates& answer) {
    constexpr std::size_t kMostAnswers = 64;
    const std::lock_guard lock(mutex_);
    answers_.emplace_front(std::move(question), answer);
    if (answers_.size() > kMostAnswers) answers_.pop_back();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<std::pair<Question, Candidates>> answers_;
};

// Builds `plan` and simulates it, so often as it is asked to.
template <class AnyPlan, class Way>
class Simulator {
 public:
  Simulator(const AnyPlan& plan, const Question& question)
      : plan_(plan), question_(question), topology_(topology_of(plan, question.hardware)) {}

  // Nothing if it runs for weeks, or the chip has no rate for the product.
  std::optional<CandidateOf<Way>> operator()(const Way& way) {
    const Schedule schedule = legalize(lower(plan_, way), question_.available);
    ops_ += num_ops(schedule);
    try {
      return CandidateOf<Way>{way, simulate(schedule, question_.hardware, topology_, question_.options).makespan_ps,
                              bytes_per_rank(schedule)};
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  std::int64_t ops() const { return ops_; }  // of all schedules

 private:
  const AnyPlan& plan_;
  const Question& question_;
  const Topology topology_;
  std::int64_t ops_ = 0;
};

template <class Way, class Simulate>
std::vector<CandidateOf<Way>> all_candidates(const std::vector<LowerOptions>& ways, Simulate& simulate) {
  std::vector<CandidateOf<Way>> candidates;
  for (const LowerOptions& way : ways)
    if (auto candidate = simulate(way)) candidates.push_back(*std::move(candidate));
  std::ranges::stable_sort(candidates, {}, &CandidateOf<Way>::makespan_ps);
  return candidates;
}

// Puts one with ways of their own for its products in front, if it is faster.
void add_mixed(const ProgramPlan& plan, const Question& question, Simulator<ProgramPlan, ProgramWay>& simulate,
               std::vector<ProgramCandidate>& candidates) {
  constexpr std::int64_t kMostOps = 1'000'000;  // they take some seconds
  const auto fits = [&](const ProgramCandidate& candidate) {
    return !question.memory_bytes || candidate.bytes_per_rank <= *question.memory_bytes;
  };
  const auto start = std::ranges::find_if(candidates, fits);
  if (start == candidates.end()) return;
  std::vector<OpenPart> parts = open_parts(plan, start->lower.rest, question.hardware, question.available);
  if (parts.size() < 2) return;  // of one part all ways have been tried
  const std::int64_t ops_before = simulate.ops();
  ProgramCandidate mixed =
      improved(*start, std::move(parts), [&](const ProgramWay& way) -> std::optional<ProgramCandidate> {
        if (simulate.ops() - ops_before > kMostOps) return std::nullopt;
        std::optional<ProgramCandidate> candidate = simulate(way);
        return candidate && fits(*candidate) ? candidate : std::nullopt;
      });
  if (mixed.makespan_ps < start->makespan_ps) candidates.insert(start, std::move(mixed));
  std::ranges::stable_sort(candidates, {}, &ProgramCandidate::makespan_ps);
}

template <class Way>
Way fastest_of(const std::vector<CandidateOf<Way>>& candidates, std::optional<std::int64_t> memory_bytes) {
  for (const CandidateOf<Way>& candidate : candidates)
    if (!memory_bytes || candidate.bytes_per_rank <= *memory_bytes) return candidate.lower;
  return LowerOptions{Algorithm::kDirect, {}};
}

}  // namespace

std::vector<Candidate> tune(const Plan& plan, const Hardware& hardware, const Capabilities& available,
                            const SimulateOptions& options) {
  static Memory<LowerOptions> memory;
  Question question{plan_json(plan), hardware, available, options, std::nullopt};
  if (auto known = memory.find(question)) return *std::move(known);
  Simulator<Plan, LowerOptions> simulate(plan, question);
  std::vector<Candidate> candidates = all_candidates<LowerOptions>(ways_to_build(plan, hardware, available), simulate);
  memory.keep(std::move(question), candidates);
  return candidates;
}

std::vector<ProgramCandidate> tune(const ProgramPlan& plan, const Hardware& hardware, const Capabilities& available,
                                   const SimulateOptions& options, std::optional<std::int64_t> memory_bytes) {
  static Memory<ProgramWay> memory;
  Question question{plan_json(plan), hardware, available, options, memory_bytes};
  if (auto known = memory.find(question)) return *std::move(known);
  Simulator<ProgramPlan, ProgramWay> simulate(plan, question);
  std::vector<ProgramCandidate> candidates =
      all_candidates<ProgramWay>(ways_to_build(plan, hardware, available), simulate);
  add_mixed(plan, question, simulate, candidates);
  memory.keep(std::move(question), candidates);
  return candidates;
}

LowerOptions fastest(const std::vector<Candidate>& candidates, std::optional<std::int64_t> memory_bytes) {
  return fastest_of(candidates, memory_bytes);
}

ProgramWay fastest(const std::vector<ProgramCandidate>& candidates, std::optional<std::int64_t> memory_bytes) {
  return fastest_of(candidates, memory_bytes);
}

}  // namespace meshmul
