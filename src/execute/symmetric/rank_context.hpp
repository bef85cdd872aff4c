#pragma once
// What stands behind one rank of a run: the heap, the fabric, and how often the rank has done what is counted.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fabric.hpp"
#include "heap_state.hpp"
#include "kernels/kernels.hpp"

namespace meshmul {

class RankContext {
 public:
  /// All of them outlive this.
  RankContext(HeapState& heap, Fabric& fabric, int rank);

  /// The rank as its function sees it.
  Rank handle() { return Rank(*this); }

  HeapState& heap() const { return heap_; }
  Fabric& fabric() const { return fabric_; }
  int id() const { return id_; }

  /// The raise of `signal` at `owner` by one, by this rank. Throws Error(kInvalidArgument) if there is no such rank or
  /// signal, or another writer has the word in this run.
  WordRaise next_raise(int owner, const SymmetricSignal& signal);
  /// The raise to `value`, by a stream of this rank. Throws as `next_raise`, and if the word has more already.
  WordRaise raise_to(int owner, const SymmetricSignal& signal, std::uint64_t value, int stream);
  SignalWait wait_for(const SymmetricSignal& signal, std::uint64_t value) const;

  /// Starts a transfer without an order among others, or as the next of a stream. Views of no elements copy nothing.
  std::uint64_t start(TransferOrder order);
  void start_in_stream(TransferOrder order, int stream);
  /// Until all transfers, or all of a stream, are over.
  void finish_transfers();
  void finish_stream(int stream);

  void barrier(int channel);

  LocalProductLibrary& products();

 private:
  HeapWord& claim(int owner, const SymmetricSignal& signal, int lane);
  HeapSignal& require_signal(const SymmetricSignal& signal) const;

  HeapState& heap_;
  Fabric& fabric_;
  int id_;
  std::uint64_t num_transfers_ = 0;
  std::uint64_t num_finished_ = 0;  // the first of them are over
  std::array<std::optional<std::uint64_t>, Rank::kNumStreams> last_in_stream_;
  std::vector<std::uint64_t> barriers_;  // calls, by channel
  std::unique_ptr<LocalProductLibrary> products_;
};

}  // namespace meshmul
