#pragma once
// The walk over a box of an array in the order in which a file stores it: pieces that are dense in the file, each with
// the elements of memory that belong to it.

#include <algorithm>
#include <array>
#include <cstdint>

#include "meshmul/box.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

/// Most bytes that are read or written by one call, and held in between.
inline constexpr std::int64_t kStagingBytes = std::int64_t{1} << 20;

/// `count` elements that lie side by side in the file, from `offset` bytes after the array's first element; in memory
/// they lie `stride` elements apart. `Byte` is std::byte or const std::byte.
template <class Byte>
struct FileRow {
  std::int64_t offset = 0;
  std::int64_t count = 0;
  Byte* data = nullptr;
  std::int64_t stride = 1;
};

/// Calls `visit(row)` for the rows of `box` in ascending order of the file; none takes more than kStagingBytes. An
/// array of `shape` is stored with its last dimension densest, or its first with `fortran_order`; `view` has the
/// extents of `box`.
template <class Byte, class Visit>
void for_each_file_row(const Shape& shape, bool fortran_order, const Box& box, BasicView<Byte> view,
                       const Visit& visit) {
  if (box.empty()) return;
  const int dims = box.num_dims();
  const std::int64_t element_bytes = size_bytes(view.dtype);
  // 1. Dimensions from the sparsest to the densest, with their steps in the file and in memory.
  struct Step {
    std::int64_t extent = 1, file = 1, memory = 1;
  };
  std::array<Step, kMaxDims> steps;
  std::int64_t start = 0;
  std::int64_t file_step = 1;
  for (int i = dims - 1; i >= 0; --i) {
    const int d = fortran_order ? dims - 1 - i : i;
    const auto at = static_cast<std::size_t>(d);
    steps[static_cast<std::size_t>(i)] = {box[d].size(), file_step, view.strides[at]};
    start += box[d].begin * file_step;
    file_step *= shape[at];
  }
  // 2. The densest dimension gives the rows, cut where they are long; the others are counted like digits.
  const int last = std::max(dims - 1, 0);
  const Step dense = steps[static_cast<std::size_t>(last)];
  const std::int64_t most = kStagingBytes / element_bytes;
  std::array<std::int64_t, kMaxDims> digits{};
  for (;;) {
    std::int64_t file = start;
    std::int64_t memory = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(last); ++i) {
      file += digits[i] * steps[i].file;
      memory += digits[i] * steps[i].memory;
    }
    for (std::int64_t done = 0; done < dense.extent; done += most)
      visit(FileRow<Byte>{(file + done) * element_bytes, std::min(most, dense.extent - done),
                          view.data + (memory + done * dense.memory) * element_bytes, dense.memory});
    int i = last - 1;
    while (i >= 0 && ++digits[static_cast<std::size_t>(i)] == steps[static_cast<std::size_t>(i)].extent)
      digits[static_cast<std::size_t>(i--)] = 0;
    if (i < 0) return;
  }
}

}  // namespace meshmul
