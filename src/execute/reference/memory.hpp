#pragma once
// The buffers of every rank, in one piece of memory of this process.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

/// Every buffer begins at a multiple of 64 bytes. A copy of a Memory is a copy of all bytes.
class Memory {
 public:
  /// Throws Error(kOutOfMemory) if this process cannot have that much.
  explicit Memory(const Schedule& schedule);

  std::span<std::byte> buffer(int rank, int buffer);
  /// `schedule` is the one that this memory was made for.
  View view(const Schedule& schedule, const Region& region);

  /// Everything, for comparison.
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(lines_)); }

 private:
  struct alignas(64) Line {
    std::array<std::byte, 64> bytes;
  };
  struct Place {
    std::size_t line = 0;  // within a rank
    std::size_t num_bytes = 0;
  };

  std::vector<Place> places_;
  std::size_t lines_per_rank_ = 0;
  std::vector<Line> lines_;
};

/// Fills all memory that no input of the contract holds with what undefined memory shows as: NaN in floats, 0x7F bytes
/// in integers.
void poison_undefined(const Schedule& schedule, Memory& memory);

}  // namespace meshmul
