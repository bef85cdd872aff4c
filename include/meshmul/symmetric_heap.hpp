#pragma once
// Memory and signals that every rank has alike, and functions that run on every rank: for programs that move data
// themselves. docs/rdma.md explains the model and names the counterparts in other systems.
//
//     SymmetricHeap heap = SymmetricHeap::threads({{"X", 4}});
//     const SymmetricBuffer x = heap.allocate("x", dtype::f32, {8, 16});
//     const SymmetricSignal came = heap.signal("came");
//     heap.spmd([&](Rank& rank) {
//       RemoteCopy row = rank.put(rank.neighbour(+1), x.rows(1, 2), x.rows(0, 1), came);
//       row.wait_arrived();
//     });

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/box.hpp"
#include "meshmul/dtype.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/rank.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

struct SymmetricHeapOptions {
  /// The deadline counts time in which no rank starts or ends an operation of `Rank`; `seed` is that of `reference`.
  ExecuteOptions execute;
  int num_channels = 4;  ///< of Rank::barrier

  static const SymmetricHeapOptions& defaults();
};

/// Buffers and signals of which every rank has one. Declared by the program that owns the heap, between runs; never
/// freed before the heap. Move-only; what it hands out is valid as long as it lives.
class SymmetricHeap {
 public:
  /// Ranks are threads of this process. A transfer is a copy by the rank that asks for it, over when it has started.
  static SymmetricHeap threads(Mesh mesh, const SymmetricHeapOptions& options = SymmetricHeapOptions::defaults());
  /// One rank runs at a time, every transfer takes a random time, and memory holds NaN until it is written, or 0x7F
  /// bytes in integers: a program that forgets a wait shows it under some seed, and one seed always gives one result.
  static SymmetricHeap reference(Mesh mesh, const SymmetricHeapOptions& options = SymmetricHeapOptions::defaults());
  /// By the name of the backend. Throws Error(kUnsupported) for `processes`: a function of this program cannot be handed
  /// to another one. Error(kInvalidArgument) for an unknown name, or less than one channel.
  static SymmetricHeap on(std::string_view backend, Mesh mesh,
                          const SymmetricHeapOptions& options = SymmetricHeapOptions::defaults());

  SymmetricHeap(SymmetricHeap&&) noexcept;
  SymmetricHeap& operator=(SymmetricHeap&&) noexcept;
  ~SymmetricHeap();

  const Mesh& mesh() const;
  int num_ranks() const { return mesh().num_devices(); }

  /// A buffer of `shape` on every rank, row-major, of zeros (`reference`: see above). Throws Error(kInvalidArgument) for
  /// a shape that is none, and Error(kOutOfMemory) with both numbers if the memory is not there.
  SymmetricBuffer allocate(const std::string& name, Dtype dtype, const Shape& shape);
  /// A signal word on every rank.
  SymmetricSignal signal(const std::string& name);
  /// `count` signals `name.0`, `name.1`, …: one for each sender, as each word has one writer.
  std::vector<SymmetricSignal> signals(const std::string& name, int count);

  /// The memory of `slice` at `rank`, for the program that owns the heap: to fill it before a run, to read it after.
  View view(int rank, const SymmetricSlice& slice);
  /// The same as elements in row-major order. Throws Error(kInvalidArgument) if T is not the element type of the buffer,
  /// or the elements do not lie side by side.
  template <class T>
  std::span<T> elements(int rank, const SymmetricSlice& slice) {
    return elements_of<T>(view(rank, slice));
  }

  /// Runs `function` once on every rank, and returns when all have returned and no transfer is under way. Buffers keep
  /// what they hold from run to run; signals count from 0 in each.
  ///
  /// If a rank throws, all others end at their next operation or wait, and this throws an Error that names the rank, with
  /// the code of the rank's Error or kRankFailed, and what the rank threw nested in it (std::rethrow_if_nested). If a wait
  /// does not end, Error(kRankFailed) names rank, signal, expected and seen value, and who should have raised it. The
  /// next run works.
  void spmd(const std::function<void(Rank&)>& function);

 private:
  explicit SymmetricHeap(std::unique_ptr<HeapState> state);
  std::unique_ptr<HeapState> state_;
};

}  // namespace meshmul
