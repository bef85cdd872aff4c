#include "meshmul/rank.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meshmul/error.hpp"
#include "operands.hpp"
#include "rank_context.hpp"

namespace meshmul {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

// An entry of a stream that only raises.
View nothing() {
  View view;
  view.num_dims = 1;
  return view;
}

TransferOrder transfer(std::string_view what, const View& dst, const ConstView& src) {
  require_same(what, dst, src);
  return {dst, src, {}, Event::kWriteVisible, {}};
}

}  // namespace

void RemoteCopy::wait_sent() { rank_->fabric().wait_for(rank_->id(), number_, Event::kReadDone); }

void RemoteCopy::wait_arrived() {
  if (is_get_) return rank_->fabric().wait_for(rank_->id(), number_, Event::kWriteVisible);
  if (!arrived_) refuse("wait_arrived: the put raises no signal by which its arrival could be seen");
  rank_->fabric().wait_for(rank_->id(), rank_->wait_for(*arrived_, count_));
}

void Stream::copy(const View& dst, const ConstView& src) {
  rank_->start_in_stream(transfer("a copy of a stream", dst, src), number_);
}

void Stream::write_value(int rank, const SymmetricSignal& signal, std::uint64_t value) {
  TransferOrder order{nothing(), nothing(), {}, Event::kWriteVisible, {}};
  order.raise = rank_->raise_to(rank, signal, value, number_);
  rank_->start_in_stream(std::move(order), number_);
}

void Stream::synchronize() { rank_->finish_stream(number_); }

int Rank::id() const { return context_->id(); }
int Rank::num_ranks() const { return context_->heap().num_ranks(); }
const Mesh& Rank::mesh() const { return context_->heap().mesh(); }

int Rank::neighbour(int distance) const {
  const int ranks = num_ranks();
  return ((id() + distance % ranks) + ranks) % ranks;
}

View Rank::view(const SymmetricSlice& slice) const { return peer_view(id(), slice); }
View Rank::peer_view(int peer, const SymmetricSlice& slice) const { return context_->heap().view(peer, slice); }

RemoteCopy Rank::put(int peer, const SymmetricSlice& dst, const ConstView& src,
                     const std::optional<SymmetricSignal>& arrived) {
  TransferOrder order = transfer("put", peer_view(peer, dst), src);
  RemoteCopy started(*context_, false);
  if (arrived) {
    order.raise = context_->next_raise(peer, *arrived);
    started.arrived_ = arrived;
    started.count_ = order.raise->value;
  }
  started.number_ = context_->start(std::move(order));
  return started;
}

RemoteCopy Rank::put(int peer, const SymmetricSlice& dst, const SymmetricSlice& src,
                     const std::optional<SymmetricSignal>& arrived) {
  return put(peer, dst, view(src), arrived);
}

RemoteCopy Rank::get(const View& dst, int peer, const SymmetricSlice& src,
                     const std::optional<SymmetricSignal>& taken) {
  TransferOrder order = transfer("get", dst, peer_view(peer, src));
  RemoteCopy started(*context_, true);
  if (taken) {
    order.raise = context_->next_raise(peer, *taken);
    order.at = Event::kReadDone;
  }
  started.number_ = context_->start(std::move(order));
  return started;
}

RemoteCopy Rank::get(const SymmetricSlice& dst, int peer, const SymmetricSlice& src,
                     const std::optional<SymmetricSignal>& taken) {
  return get(view(dst), peer, src, taken);
}

void Rank::quiet() { context_->finish_transfers(); }

void Rank::raise(int peer, const SymmetricSignal& signal) {
  context_->fabric().raise(id(), context_->next_raise(peer, signal));
}

void Rank::wait(const SymmetricSignal& signal, std::uint64_t value) {
  context_->fabric().wait_for(id(), context_->wait_for(signal, value));
}

std::uint64_t Rank::value(const SymmetricSignal& signal) {
  context_->fabric().step(id());
  return context_->wait_for(signal, 0).word->seen();
}

void Rank::barrier(int channel) { context_->barrier(channel); }

Stream Rank::stream(int number) {
  if (number < 0 || number >= kNumStreams)
    refuse(fmt::format("there is no stream {}; a rank has streams 0 to {}", number, kNumStreams - 1));
  return {*context_, number};
}

void Rank::copy(const View& dst, const ConstView& src) {
  require_same_shape("copy", dst, src);
  context_->fabric().step(id());
  meshmul::copy(dst, src, {});
}

void Rank::add(const View& dst, const ConstView& src) {
  require_same_shape("add", dst, src);
  context_->fabric().step(id());
  meshmul::reduce(dst, src, {});
}

void Rank::map(const View& dst, MapFunction function, std::span<const ConstView> srcs) {
  require_map(dst, function, srcs);
  context_->fabric().step(id());
  meshmul::map(dst, function, srcs);
}

void Rank::gemm(const View& c, const ConstView& a, const ConstView& b, std::string_view einsum, bool accumulate) {
  const Einsum parsed = parse_einsum(einsum);
  require_gemm(c, a, b, parsed);
  context_->fabric().step(id());
  context_->products().gemm(c, a, b, parsed, accumulate);
}

}  // namespace meshmul
