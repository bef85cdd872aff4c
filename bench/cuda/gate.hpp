#pragma once
// Holds a stream back until the host has enqueued all that is measured, so that no time of the host is in it.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "execute/cuda/pinned_memory.hpp"

class Gate {
 public:
  /// Loads its kernel: behind a closed gate none could be loaded.
  Gate();

  /// What the stream is given from now on waits; until the end of the scope.
  class Closed {
   public:
    Closed(Gate& gate, cudaStream_t stream);
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;
    /// Opens it, however the scope is left: whoever frees memory waits for the stream.
    ~Closed();

   private:
    Gate& gate_;
  };

 private:
  meshmul::cuda::PinnedMemory opened_;  // how often
  std::uint64_t closed_ = 0;            // how often
};
