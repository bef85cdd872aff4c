#include "own_heap.hpp"

namespace meshmul {

OwnHeap::OwnHeap(const WorldLayout& layout) : layout_(&layout) {
  if (layout.own_heap_bytes > 0) mapping_ = MemoryMapping::anonymous(layout.own_heap_bytes);
}

std::span<std::byte> OwnHeap::bytes() const {
  if (!mapping_) return {};
  return {mapping_->data(), static_cast<std::size_t>(mapping_->num_bytes())};
}

std::span<std::byte> OwnHeap::buffer(int buffer) const {
  const BufferPlace& place = layout_->buffers[static_cast<std::size_t>(buffer)];
  if (!place.own) return {};
  return bytes().subspan(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(place.num_bytes));
}

}  // namespace meshmul
