#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_words.cuh"
#include "execute/cuda/load_kernel.hpp"
#include "execute/cuda/signal_protocol.hpp"
#include "execute/cuda/stream_ops.hpp"

namespace meshmul::cuda {
namespace {

// What is left of the registers of a multiprocessor beside a product kernel: 1024, for one warp 32 a thread.
constexpr int kThreads = 1;

__global__ void __maxnreg__(32) begin_run_kernel(std::uint64_t* epoch) { *epoch += 1; }

__global__ void __maxnreg__(32) wait_kernel(SignalWait wait, const std::uint64_t* epoch, WaitControl control) {
  wait_for(wait, *epoch, control, DeviceWords{});
  __threadfence_system();
}

__global__ void __maxnreg__(32) raise_kernel(SignalRaise raise, const std::uint64_t* epoch) {
  __threadfence_system();
  DeviceWords{}.raise_release(raise.word, raised_value(raise, *epoch));
}

}  // namespace

void load_stream_kernels() {
  load_kernel(reinterpret_cast<const void*>(&begin_run_kernel));
  load_kernel(reinterpret_cast<const void*>(&wait_kernel));
  load_kernel(reinterpret_cast<const void*>(&raise_kernel));
}

void begin_run(std::uint64_t* epoch, cudaStream_t stream) {
  begin_run_kernel<<<1, kThreads, 0, stream>>>(epoch);
  check(cudaGetLastError(), "beginning a run");
}

void wait_in_stream(const SignalWait& wait, const std::uint64_t* epoch, const WaitControl& control,
                    cudaStream_t stream) {
  wait_kernel<<<1, kThreads, 0, stream>>>(wait, epoch, control);
  check(cudaGetLastError(), "waiting in a stream");
}

void raise_in_stream(const SignalRaise& raise, const std::uint64_t* epoch, cudaStream_t stream) {
  raise_kernel<<<1, kThreads, 0, stream>>>(raise, epoch);
  check(cudaGetLastError(), "raising a signal in a stream");
}

}  // namespace meshmul::cuda
