#include <atomic>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/load_kernel.hpp"
#include "gate.hpp"

namespace {

/// Ends once the host has written `value`.
__global__ void gate_kernel(const std::uint64_t* word, std::uint64_t value) {
  while (*reinterpret_cast<const volatile std::uint64_t*>(word) < value) __nanosleep(200);
}

}  // namespace

Gate::Gate() : opened_(sizeof(std::uint64_t)) {
  meshmul::cuda::load_kernel(reinterpret_cast<const void*>(gate_kernel));
}

Gate::Closed::Closed(Gate& gate, cudaStream_t stream) : gate_(gate) {
  ++gate_.closed_;
  gate_kernel<<<1, 1, 0, stream>>>(reinterpret_cast<const std::uint64_t*>(gate_.opened_.data()), gate_.closed_);
  meshmul::cuda::check(cudaGetLastError(), "closing a gate");
}

Gate::Closed::~Closed() {
  std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(gate_.opened_.data()))
      .store(gate_.closed_, std::memory_order_release);
}
