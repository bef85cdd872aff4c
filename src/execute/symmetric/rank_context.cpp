#include "rank_context.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

std::string describe_writer(std::int32_t writer) {
  const int rank = writer_rank(writer), lane = writer_lane(writer);
  return lane == 0 ? fmt::format("rank {}", rank) : fmt::format("stream {} of rank {}", lane - 1, rank);
}

}  // namespace

RankContext::RankContext(HeapState& heap, Fabric& fabric, int rank)
    : heap_(heap), fabric_(fabric), id_(rank), barriers_(static_cast<std::size_t>(heap.options().num_channels)) {}

HeapSignal& RankContext::require_signal(const SymmetricSignal& signal) const {
  if (signal.heap_ != &heap_) refuse("a signal belongs to another heap");
  return heap_.signal(signal.index_);
}

HeapWord& RankContext::claim(int owner, const SymmetricSignal& signal, int lane) {
  HeapSignal& found = require_signal(signal);
  heap_.require_rank(owner);
  HeapWord& word = found.words[static_cast<std::size_t>(owner)];
  const std::int32_t self = writer_number(id_, lane);
  std::int32_t writer = HeapWord::kNobody;
  if (!word.writer.compare_exchange_strong(writer, self) && writer != self)
    refuse(fmt::format("{} raises {} of rank {}, as {} does; a signal word has one writer in a run",
                       describe_writer(self), found.name, owner, describe_writer(writer)));
  return word;
}

WordRaise RankContext::next_raise(int owner, const SymmetricSignal& signal) {
  HeapWord& word = claim(owner, signal, 0);
  return {&word, owner, ++word.promised};
}

WordRaise RankContext::raise_to(int owner, const SymmetricSignal& signal, std::uint64_t value, int stream) {
  HeapWord& word = claim(owner, signal, stream + 1);
  if (value < word.promised)
    refuse(fmt::format("write_value gives {} of rank {} the value {} after {}; a signal only grows", signal.name(),
                       owner, value, word.promised));
  return {&word, owner, word.promised = value};
}

SignalWait RankContext::wait_for(const SymmetricSignal& signal, std::uint64_t value) const {
  const HeapSignal& found = require_signal(signal);
  return {&found, &found.words[static_cast<std::size_t>(id_)], value};
}

std::uint64_t RankContext::start(TransferOrder order) {
  const std::uint64_t number = fabric_.start(id_, order);
  num_transfers_ = number + 1;
  return number;
}

void RankContext::start_in_stream(TransferOrder order, int stream) {
  std::optional<std::uint64_t>& last = last_in_stream_[static_cast<std::size_t>(stream)];
  order.after = last;
  last = start(std::move(order));
}

void RankContext::finish_transfers() {
  for (; num_finished_ < num_transfers_; ++num_finished_) fabric_.wait_for(id_, num_finished_, Event::kWriteVisible);
}

void RankContext::finish_stream(int stream) {
  if (const auto last = last_in_stream_[static_cast<std::size_t>(stream)])
    fabric_.wait_for(id_, *last, Event::kWriteVisible);
}

// By dissemination: in round k each rank tells the one 2^k further on, and hears from the one 2^k before it. What it has
// heard before it passes on, so that after the last round all have heard from all.
void RankContext::barrier(int channel) {
  if (channel < 0 || channel >= heap_.options().num_channels)
    refuse(fmt::format("barrier: there is no channel {}; the heap has channels 0 to {}", channel,
                       heap_.options().num_channels - 1));
  const std::uint64_t calls = ++barriers_[static_cast<std::size_t>(channel)];
  for (int round = 0; round < heap_.barrier_rounds(); ++round) {
    const SymmetricSignal signal = heap_.barrier_signal(channel, round);
    fabric_.raise(id_, next_raise((id_ + (1 << round)) % heap_.num_ranks(), signal));
    fabric_.wait_for(id_, wait_for(signal, calls));
  }
}

LocalProductLibrary& RankContext::products() {
  const std::string& named = heap_.options().execute.kernels;
  if (!products_) products_ = make_local_products(named.empty() && heap_.is_delayed() ? "reference" : named);
  return *products_;
}

}  // namespace meshmul
