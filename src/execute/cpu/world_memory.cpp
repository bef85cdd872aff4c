#include "world_memory.hpp"

#include <algorithm>
#include <memory>

#include "meshmul/error.hpp"
#include "schedule/op_count.hpp"

namespace meshmul {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

// Sums and products of sizes that a schedule gives, which nobody has checked.
std::int64_t checked(bool overflow, std::int64_t bytes) {
  if (overflow || bytes < 0 || bytes > kMostBytes)
    throw Error(ErrorCode::kOutOfMemory, "the buffers of the schedule need more than 2^62 bytes");
  return bytes;
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  const bool overflow = __builtin_add_overflow(a, b, &sum);
  return checked(overflow, sum);
}
std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  const bool overflow = __builtin_mul_overflow(a, b, &product);
  return checked(overflow, product);
}
std::int64_t round_up(std::int64_t bytes, std::int64_t unit) { return plus(bytes, unit - 1) / unit * unit; }

std::int64_t bytes_of(const BufferDecl& buffer) {
  std::int64_t bytes = size_bytes(buffer.dtype);
  // A zero anywhere makes the buffer empty, however large the other sizes are.
  if (std::find(buffer.shape.begin(), buffer.shape.end(), 0) != buffer.shape.end()) return 0;
  for (const std::int64_t size : buffer.shape) bytes = times(bytes, size);
  return bytes;
}

}  // namespace

WorldLayout lay_out(const Schedule& schedule, std::int64_t times_per_rank) {
  constexpr std::int64_t kLine = kCacheLine;
  WorldLayout layout;
  layout.num_ranks = schedule.num_ranks();
  layout.num_signals = static_cast<int>(schedule.signals.size());
  std::int64_t most_lanes = 0;
  for (const RankProgram& program : schedule.ranks) {
    layout.num_lanes.push_back(static_cast<int>(program.lanes.size()));
    most_lanes = std::max(most_lanes, static_cast<std::int64_t>(program.lanes.size()));
  }

  layout.ranks = round_up(sizeof(WorldControl), kLine);
  layout.positions = plus(layout.ranks, times(layout.num_ranks, sizeof(RankControl)));
  layout.positions_bytes = round_up(times(most_lanes, sizeof(LanePosition)), kLine);
  layout.signals = plus(layout.positions, times(layout.num_ranks, layout.positions_bytes));
  const std::int64_t num_words = times(layout.num_ranks, layout.num_signals);
  layout.heap = round_up(plus(layout.signals, times(num_words, sizeof(SignalWord))), kPageBytes);

  for (const BufferDecl& buffer : schedule.buffers) {
    std::int64_t& heap_bytes = buffer.symmetric ? layout.heap_bytes : layout.own_heap_bytes;
    const std::int64_t num_bytes = bytes_of(buffer);
    layout.buffers.push_back({!buffer.symmetric, heap_bytes, num_bytes});
    heap_bytes = round_up(plus(heap_bytes, times(buffer.symmetric ? layout.num_ranks : 1, num_bytes)), kLine);
  }
  layout.heap_bytes = round_up(layout.heap_bytes, kPageBytes);
  layout.own_heap_bytes = round_up(layout.own_heap_bytes, kPageBytes);
  layout.times = plus(layout.heap, layout.heap_bytes);
  layout.times_per_rank = times_per_rank;
  layout.num_bytes = plus(layout.times, times(times(layout.num_ranks, times_per_rank), sizeof(OpTimes)));
  plus(layout.num_bytes, times(layout.num_ranks, layout.own_heap_bytes));  // those who add up may do so unchecked
  return layout;
}

std::int64_t shared_bytes_per_rank(const WorldLayout& layout) {
  std::int64_t bytes = 0;
  for (const BufferPlace& place : layout.buffers)
    if (!place.own) bytes += place.num_bytes;
  return bytes;
}

std::int64_t most_ops(const Schedule& schedule) {
  std::int64_t most = 0;
  for (const RankProgram& program : schedule.ranks) most = std::max(most, num_ops(program));
  return most;
}

void WorldMemory::construct(const SignalWords& words) const {
  std::construct_at(&world());
  for (int r = 0; r < num_ranks(); ++r) {
    std::construct_at(&rank(r));
    for (LanePosition& position : positions(r)) std::construct_at(&position, 0U);
    for (OpTimes& times : times(r)) std::construct_at(&times);
    for (int s = 0; s < layout_->num_signals; ++s)
      std::construct_at(&signal(r, s))->raises_per_run = words.at(r, s).raises_per_run;
  }
}

std::span<LanePosition> WorldMemory::positions(int rank) const {
  return {at<LanePosition>(layout_->positions + rank * layout_->positions_bytes),
          static_cast<std::size_t>(layout_->num_lanes[static_cast<std::size_t>(rank)])};
}

std::span<OpTimes> WorldMemory::times(int rank) const {
  const std::int64_t count = layout_->times_per_rank;
  return {at<OpTimes>(layout_->times) + rank * count, static_cast<std::size_t>(count)};
}

SignalWord& WorldMemory::signal(int rank, int signal) const {
  return at<SignalWord>(layout_->signals)[static_cast<std::int64_t>(rank) * layout_->num_signals + signal];
}

std::span<std::byte> WorldMemory::buffer(int rank, int buffer) const {
  const BufferPlace& place = layout_->buffers[static_cast<std::size_t>(buffer)];
  if (place.own) return {};
  return {at<std::byte>(layout_->heap + place.offset + rank * place.num_bytes),
          static_cast<std::size_t>(place.num_bytes)};
}

void WorldMemory::ring_ranks() const {
  for (int r = 0; r < num_ranks(); ++r) rank(r).doorbell.ring();
}

}  // namespace meshmul
