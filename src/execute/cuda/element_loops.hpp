#pragma once
// Copies, additions and elementwise functions on strided views, as a kernel takes them.

#include <cstdint>
#include <optional>
#include <span>

#include "meshmul/map_function.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// Loops over the elements of dst; operand 0 is dst.
struct ElementLoops {
  /// What an element of dst becomes.
  enum class Work { kMap, kAddToDst };
  static constexpr int kMostSources = 2;

  struct Operand {
    const void* data = nullptr;
    Dtype dtype = Dtype::kF32;
    std::int64_t strides[kMaxDims] = {};
  };

  std::int64_t count = 1;
  int num_dims = 0;
  std::int64_t extents[kMaxDims] = {};
  int num_operands = 0;
  Operand operands[1 + kMostSources];
  Work work = Work::kMap;
  MapFunction function = MapFunction::kConvert;
  Dtype sum = Dtype::kF32;  ///< what is computed in: f32, i32, or f64, which holds every value of both
};

/// Drops dimensions of one element, and makes one of neighbours where all operands allow: how many dimensions are left.
/// None is empty.
int merge_dims(std::span<std::int64_t> extents, std::span<ElementLoops::Operand> operands);

/// dst = src converted, dst dimension d = src dimension permutation[d] (empty: identity).
ElementLoops copy_loops(const View& dst, const ConstView& src, std::span<const int> permutation);

/// dst += src in the accumulator dtype of dst, rounded once.
ElementLoops reduce_loops(const View& dst, const ConstView& src, std::span<const int> permutation);

/// dst = function(srcs…), computed in the accumulator dtype of dst; gelu and its kind of integers in f64. The second
/// source may have no dimension, or with `along` one, which is dimension `along` of dst.
ElementLoops map_loops(const View& dst, MapFunction function, std::span<const ConstView> srcs,
                       std::optional<int> along);

}  // namespace meshmul::cuda
