#pragma once
// The memory of one rank that nobody else touches.

#include <cstddef>
#include <optional>
#include <span>

#include "mapping.hpp"
#include "world_memory.hpp"

namespace meshmul {

/// The own buffers of one rank, in memory of its process alone. Unlike shared memory, the machine may back it with large
/// pages, with which a product walks fewer page tables.
class OwnHeap {
 public:
  /// Throws Error(kOutOfMemory). `layout` must outlive this.
  explicit OwnHeap(const WorldLayout& layout);

  std::span<std::byte> bytes() const;
  /// Empty if `buffer` is shared.
  std::span<std::byte> buffer(int buffer) const;

 private:
  const WorldLayout* layout_;
  std::optional<MemoryMapping> mapping_;  // none if there are no own buffers
};

}  // namespace meshmul
