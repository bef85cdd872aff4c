#include "rank_program.hpp"

#include <cassert>
#include <map>
#include <span>
#include <utility>

#include "schedule/effects.hpp"
#include "schedule/merged_gemms.hpp"
#include "schedule/merged_sums.hpp"

namespace meshmul {
namespace {

class Builder {
 public:
  Builder(const Schedule& schedule, const WorldMemory& memory, const OwnHeap& own_heap, int rank)
      : schedule_(schedule), memory_(memory), own_heap_(own_heap), rank_(rank) {}

  Step build(const Op& op) {
    Step step;
    std::visit([&](const auto& alternative) { step.work = work(alternative); }, op);
    for (const Raise& raise : effects_of(op, rank_).raises) {
      assert(step.num_raises < static_cast<int>(step.raises.size()));
      step.raises[static_cast<std::size_t>(step.num_raises++)] = build(raise);
    }
    return step;
  }

  // The first step of each gemm that was merged from several does it all, the others nothing.
  void merge_gemms(const Lane& lane, std::vector<Step>& steps) const {
    for (const MergedGemm& merged : merged_gemms(schedule_, lane)) {
      if (merged.ops.size() == 1) continue;
      const auto first = static_cast<std::size_t>(merged.ops.front());
      Einsum einsum = std::get<GemmStep>(steps[first].work).einsum;
      for (const int op : merged.ops) steps[static_cast<std::size_t>(op)].work = NoWork{};
      steps[first].work =
          GemmStep{view(merged.c), view(merged.a), view(merged.b), std::move(einsum), merged.accumulate};
    }
  }

  // The copy does it all, the reductions nothing.
  void merge_sums(const Lane& lane, std::vector<Step>& steps) const {
    for (const MergedSum& merged : merged_sums(schedule_, lane)) {
      SumStep sum{view(merged.dst), {}};
      for (const Region& term : merged.terms) sum.terms.push_back(view(term));
      const auto first = static_cast<std::size_t>(merged.first_op);
      for (std::size_t i = 0; i < merged.terms.size(); ++i) steps[first + i].work = NoWork{};
      steps[first].work = std::move(sum);
    }
  }

 private:
  WaitStep work(const Wait& op) const { return {&memory_.signal(rank_, op.signal), op.threshold}; }
  NoWork work(const Signal&) const { return {}; }
  CopyStep work(const Put& op) const { return {view(op.dst), view(op.src), {}}; }
  CopyStep work(const Get& op) const { return {view(op.dst), view(op.src), {}}; }
  CopyStep work(const Copy& op) const { return {view(op.dst), view(op.src), op.permutation}; }
  ReduceStep work(const Reduce& op) const { return {view(op.dst), view(op.src), op.permutation}; }
  GemmStep work(const Gemm& op) const {
    return {view(op.c), view(op.a), view(op.b), parse_einsum(op.einsum), op.accumulate};
  }
  MapStep work(const Map& op) const {
    MapStep step{view(op.dst), op.function, {}, op.along};
    for (const Region& src : op.srcs) step.srcs.push_back(view(src));
    return step;
  }

  View view(const Region& region) const {
    const BufferDecl& buffer = schedule_.buffers[static_cast<std::size_t>(region.buffer)];
    const std::span<std::byte> bytes =
        buffer.symmetric ? memory_.buffer(region.rank, region.buffer) : own_heap_.buffer(region.buffer);
    return view_of(bytes.data(), buffer.dtype, buffer.shape, region.box);
  }

  RaiseStep build(const Raise& raise) {
    RaiseStep step;
    step.word = &memory_.signal(raise.rank, raise.signal);
    if (raise.rank != rank_) step.owner = &memory_.rank(raise.rank).doorbell;
    step.value = ++raised_[{raise.rank, raise.signal}];
    return step;
  }

  const Schedule& schedule_;
  const WorldMemory& memory_;
  const OwnHeap& own_heap_;
  int rank_;
  std::map<std::pair<int, int>, std::uint64_t> raised_;  // how often so far, by rank and signal
};

}  // namespace

std::vector<ProgramLane> build_program(const Schedule& schedule, const WorldMemory& memory, const OwnHeap& own_heap,
                                       int rank) {
  Builder builder(schedule, memory, own_heap, rank);
  std::vector<ProgramLane> program;
  for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes) {
    ProgramLane& built = program.emplace_back();
    built.steps.reserve(lane.ops.size());
    for (const Op& op : lane.ops) built.steps.push_back(builder.build(op));
    builder.merge_gemms(lane, built.steps);
    builder.merge_sums(lane, built.steps);
  }
  return program;
}

}  // namespace meshmul
