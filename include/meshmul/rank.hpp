#pragma once
// What the function of a rank works with: its memory and that of its peers, transfers, signals, barriers, streams, and
// local arithmetic. The meaning is that of docs/schedule-ir.md.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "meshmul/box.hpp"
#include "meshmul/dtype.hpp"
#include "meshmul/element.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

class HeapState;
class RankContext;

/// A box of a symmetric buffer: with a rank, a place in memory.
struct SymmetricSlice {
  const HeapState* heap = nullptr;
  int buffer = 0;
  Box box;
};

/// A buffer that every rank of a heap has.
class SymmetricBuffer {
 public:
  const std::string& name() const;
  Dtype dtype() const;
  const Shape& shape() const;

  /// Throws Error(kInvalidArgument) if `box` does not lie in the buffer.
  SymmetricSlice operator[](const Box& box) const;
  /// [begin, end) of the first dimension, all of the others.
  SymmetricSlice rows(std::int64_t begin, std::int64_t end) const;
  operator SymmetricSlice() const { return (*this)[Box::whole(shape())]; }  // NOLINT: the whole of it

 private:
  friend class HeapState;
  SymmetricBuffer(const HeapState* heap, int index) : heap_(heap), index_(index) {}
  const HeapState* heap_;
  int index_;
};

/// A 64-bit counter that every rank of a heap has, and that only grows during a run. Each of these words has one writer
/// in a run: one rank, or one stream of it.
class SymmetricSignal {
 public:
  const std::string& name() const;

 private:
  friend class HeapState;
  friend class RankContext;
  SymmetricSignal(const HeapState* heap, int index) : heap_(heap), index_(index) {}
  const HeapState* heap_;
  int index_;
};

/// Throws if a view is not dense, or `is_type` is false: that a span has the element type of the view.
void require_elements(const View& view, bool is_type);

/// The elements of a dense view. Throws Error(kInvalidArgument) if T is not their type, or they do not lie side by side.
template <class T>
std::span<T> elements_of(const View& view) {
  require_elements(view, with_element_type(view.dtype, []<class E>() { return std::is_same_v<E, T>; }));
  return {reinterpret_cast<T*>(view.data), static_cast<std::size_t>(view.num_elements())};
}

/// A put or get that has started. A copy of a RemoteCopy is the same transfer.
class RemoteCopy {
 public:
  /// Until the source has been read: it may be overwritten.
  void wait_sent();
  /// Of a get: until the destination can be read.
  ///
  /// Of a put: until what a peer sends here in the same way can be read. `arrived` at *this* rank has then been raised as
  /// often as this put and those before it raise it at the peer: where all ranks send alike, round a ring or in pairs,
  /// that is the put which comes here. Throws Error(kInvalidArgument) if the put has no signal.
  void wait_arrived();

 private:
  friend class Rank;
  RemoteCopy(RankContext& rank, bool is_get) : rank_(&rank), is_get_(is_get) {}
  RankContext* rank_;
  bool is_get_;
  std::uint64_t number_ = 0;
  std::optional<SymmetricSignal> arrived_;
  std::uint64_t count_ = 0;  // of raises of `arrived_` up to this one
};

/// A queue of copies and signals of one rank: each begins when the one before is over. The rank does not wait for it.
class Stream {
 public:
  /// dst = src. Either may be memory of a peer (Rank::peer_view): a pull or a push.
  void copy(const View& dst, const ConstView& src);
  /// `signal` of `rank` becomes `value`, once all that is in the queue before it is over and visible: a release. `value`
  /// is not less than before in this run.
  void write_value(int rank, const SymmetricSignal& signal, std::uint64_t value);
  /// Until all that is in the queue is over.
  void synchronize();

 private:
  friend class Rank;
  Stream(RankContext& rank, int number) : rank_(&rank), number_(number) {}
  RankContext* rank_;
  int number_;
};

/// One rank of a run. Its operations are called by the function of the rank, on its thread, and by nobody else. They
/// throw Error(kInvalidArgument) for a rank, a channel or a stream that is not there, what belongs to another heap,
/// shapes or dtypes that differ, and a second writer of a signal word.
class Rank {
 public:
  static constexpr int kNumStreams = 8;

  int id() const;
  int num_ranks() const;
  const Mesh& mesh() const;
  /// The rank that comes `distance` after this one, round the end; before it if negative.
  int neighbour(int distance) const;

  /// This rank's memory, and that of a peer, which may be this rank. Whoever reads what another rank writes has waited
  /// for its signal.
  View view(const SymmetricSlice& slice) const;
  View peer_view(int peer, const SymmetricSlice& slice) const;
  template <class T>
  std::span<T> elements(const SymmetricSlice& slice) const {
    return elements_of<T>(view(slice));
  }

  /// Starts to write `src`, any memory of this rank, to `dst` of `peer`. `arrived` of the peer rises by one once all of
  /// it is visible there. Neither source nor destination may be touched before a wait says so.
  RemoteCopy put(int peer, const SymmetricSlice& dst, const ConstView& src,
                 const std::optional<SymmetricSignal>& arrived = {});
  RemoteCopy put(int peer, const SymmetricSlice& dst, const SymmetricSlice& src,
                 const std::optional<SymmetricSignal>& arrived = {});
  /// Starts to read `src` of `peer` into `dst`, any memory of this rank. `taken` of the peer rises by one once all of it
  /// has been read.
  RemoteCopy get(const View& dst, int peer, const SymmetricSlice& src,
                 const std::optional<SymmetricSignal>& taken = {});
  RemoteCopy get(const SymmetricSlice& dst, int peer, const SymmetricSlice& src,
                 const std::optional<SymmetricSignal>& taken = {});
  /// Until every transfer and every stream of this rank is over, its writes visible to whoever is told so.
  void quiet();

  /// `signal` of `peer` rises by one: a release of what this rank has done, not of transfers that are under way.
  void raise(int peer, const SymmetricSignal& signal);
  /// Until `signal` of this rank is at least `value`: an acquire. Consumes nothing.
  void wait(const SymmetricSignal& signal, std::uint64_t value);
  /// `signal` of this rank as it is now: an acquire of all raises up to it.
  std::uint64_t value(const SymmetricSignal& signal);
  /// Until every rank has called this as often for `channel` as this one has. It says nothing of transfers under way:
  /// call `quiet` first to end them.
  void barrier(int channel = 0);

  /// One of kNumStreams queues.
  Stream stream(int number = 0);

  /// Local work, over when it returns. Each operand may be memory of a peer. `copy` converts by one rounding, `add` adds
  /// `src` to `dst` in the accumulator dtype, `map` is elementwise, `gemm` is c = a * b, or c += a * b with `accumulate`.
  void copy(const View& dst, const ConstView& src);
  void add(const View& dst, const ConstView& src);
  void map(const View& dst, MapFunction function, std::span<const ConstView> srcs);
  void gemm(const View& c, const ConstView& a, const ConstView& b, std::string_view einsum = "ij,jk->ik",
            bool accumulate = false);

 private:
  friend class RankContext;
  explicit Rank(RankContext& context) : context_(&context) {}
  RankContext* context_;
};

}  // namespace meshmul
