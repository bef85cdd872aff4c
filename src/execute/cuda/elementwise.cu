#include <algorithm>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/element_functions.cuh"
#include "execute/cuda/elements.cuh"
#include "execute/cuda/elementwise.hpp"
#include "execute/cuda/load_kernel.hpp"

namespace meshmul::cuda {
namespace {

constexpr int kMostSources = 2;

/// What an element of dst becomes.
enum class Work { kMap, kAddToDst };

struct Operand {
  const void* data = nullptr;
  Dtype dtype = Dtype::kF32;
  std::int64_t strides[kMaxDims] = {};
};

/// Loops over the elements of dst; operand 0 is dst.
struct ElementLoops {
  std::int64_t count = 1;
  int num_dims = 0;
  std::int64_t extents[kMaxDims] = {};
  int num_operands = 0;
  Operand operands[1 + kMostSources];
  Work work = Work::kMap;
  MapFunction function = MapFunction::kConvert;
};

/// Sum: what is computed in.
template <class Sum>
__global__ void element_kernel(const __grid_constant__ ElementLoops loops) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < loops.count;
       i += stride) {
    std::int64_t at[1 + kMostSources] = {};
    std::int64_t left = i;
    for (int d = loops.num_dims - 1; d >= 0; --d) {
      std::int64_t x = left;
      if (d > 0) {
        left /= loops.extents[d];
        x -= left * loops.extents[d];
      }
#pragma unroll
      for (int o = 0; o < 1 + kMostSources; ++o)
        if (o < loops.num_operands) at[o] += x * loops.operands[o].strides[d];
    }
    const Operand& dst = loops.operands[0];
    void* const data = const_cast<void*>(dst.data);
    switch (loops.work) {
      case Work::kMap: {
        const Sum x =
            loops.num_operands > 1 ? load<Sum>(loops.operands[1].data, at[1], loops.operands[1].dtype) : Sum{};
        const Sum y =
            loops.num_operands > 2 ? load<Sum>(loops.operands[2].data, at[2], loops.operands[2].dtype) : Sum{};
        store(data, at[0], dst.dtype, mapped(loops.function, x, y));
        break;
      }
      case Work::kAddToDst:
        store(
            data, at[0], dst.dtype,
            add(load<Sum>(data, at[0], dst.dtype), load<Sum>(loops.operands[1].data, at[1], loops.operands[1].dtype)));
        break;
    }
  }
}

/// Adds an operand with its strides in the order of dst's dimensions.
void add_operand(ElementLoops& loops, const ConstView& view, std::span<const std::int64_t> strides) {
  Operand& operand = loops.operands[loops.num_operands++];
  operand.data = view.data;
  operand.dtype = view.dtype;
  for (std::size_t d = 0; d < strides.size(); ++d) operand.strides[d] = strides[d];
}

ElementLoops loops_over(const View& dst) {
  ElementLoops loops;
  loops.num_dims = dst.num_dims;
  for (int d = 0; d < dst.num_dims; ++d) loops.extents[d] = dst.extents[static_cast<std::size_t>(d)];
  loops.count = dst.num_elements();
  add_operand(loops, dst, {dst.strides.data(), static_cast<std::size_t>(dst.num_dims)});
  return loops;
}

void add_permuted(ElementLoops& loops, const ConstView& src, std::span<const int> permutation) {
  std::int64_t strides[kMaxDims] = {};
  for (int d = 0; d < src.num_dims; ++d)
    strides[d] =
        src.strides[static_cast<std::size_t>(permutation.empty() ? d : permutation[static_cast<std::size_t>(d)])];
  add_operand(loops, src, {strides, static_cast<std::size_t>(src.num_dims)});
}

/// Drops dimensions of one element, and makes one of neighbours where all operands allow.
void merge_dims(ElementLoops& loops) {
  int kept = 0;
  for (int d = 0; d < loops.num_dims; ++d) {
    if (loops.extents[d] == 1) continue;
    bool joins = kept > 0;
    for (int o = 0; joins && o < loops.num_operands; ++o)
      joins = loops.operands[o].strides[kept - 1] == loops.operands[o].strides[d] * loops.extents[d];
    if (joins) {
      loops.extents[kept - 1] *= loops.extents[d];
    } else {
      loops.extents[kept] = loops.extents[d];
      ++kept;
    }
    for (int o = 0; o < loops.num_operands; ++o) loops.operands[o].strides[kept - 1] = loops.operands[o].strides[d];
  }
  loops.num_dims = kept;
}

void launch(ElementLoops loops, cudaStream_t stream) {
  if (loops.count == 0) return;
  merge_dims(loops);
  constexpr int kThreads = 256;
  constexpr std::int64_t kMostBlocks = 1024;
  const auto blocks = static_cast<unsigned>(std::min((loops.count + kThreads - 1) / kThreads, kMostBlocks));
  // Between integers and floats f64 holds every value of both.
  bool integer = true, single = true;
  for (int o = 0; o < loops.num_operands; ++o) {
    const Dtype sum = accumulator_of(loops.operands[o].dtype);
    integer = integer && sum == Dtype::kI32;
    single = single && sum == Dtype::kF32;
  }
  if (integer)
    element_kernel<std::int32_t><<<blocks, kThreads, 0, stream>>>(loops);
  else if (single)
    element_kernel<float><<<blocks, kThreads, 0, stream>>>(loops);
  else
    element_kernel<double><<<blocks, kThreads, 0, stream>>>(loops);
  check(cudaGetLastError(), "launching work on elements");
}

}  // namespace

void load_element_kernels() {
  load_kernel(reinterpret_cast<const void*>(&element_kernel<std::int32_t>));
  load_kernel(reinterpret_cast<const void*>(&element_kernel<float>));
  load_kernel(reinterpret_cast<const void*>(&element_kernel<double>));
}

void copy(const View& dst, const ConstView& src, std::span<const int> permutation, cudaStream_t stream) {
  ElementLoops loops = loops_over(dst);
  add_permuted(loops, src, permutation);
  launch(loops, stream);
}

void reduce(const View& dst, const ConstView& src, std::span<const int> permutation, cudaStream_t stream) {
  ElementLoops loops = loops_over(dst);
  add_permuted(loops, src, permutation);
  loops.work = Work::kAddToDst;
  launch(loops, stream);
}

void map(const View& dst, MapFunction function, std::span<const ConstView> srcs, std::optional<int> along,
         cudaStream_t stream) {
  ElementLoops loops = loops_over(dst);
  for (const ConstView& src : srcs) {
    std::int64_t strides[kMaxDims] = {};
    if (src.num_dims == dst.num_dims && !(along && loops.num_operands == 2))
      for (int d = 0; d < dst.num_dims; ++d) strides[d] = src.strides[static_cast<std::size_t>(d)];
    else if (along)
      strides[*along] = src.strides[0];
    add_operand(loops, src, {strides, static_cast<std::size_t>(dst.num_dims)});
  }
  loops.function = function;
  launch(loops, stream);
}

}  // namespace meshmul::cuda
