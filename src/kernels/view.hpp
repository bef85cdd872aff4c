#pragma once
// A region of a buffer as memory.

#include <cstddef>

#include "meshmul/schedule.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

/// The view of `box` in a buffer whose memory begins at `base`.
inline View view_of(std::byte* base, const BufferDecl& buffer, const Box& box) {
  return view_of(base, buffer.dtype, buffer.shape, box);
}

}  // namespace meshmul
