#include "memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "kernels/kernels.hpp"
#include "meshmul/error.hpp"
#include "meshmul/host_array.hpp"

namespace meshmul {

Memory::Memory(const Schedule& schedule) {
  for (const BufferDecl& buffer : schedule.buffers) {
    const auto num_bytes = static_cast<std::size_t>(buffer.num_bytes());
    places_.push_back({lines_per_rank_, num_bytes});
    lines_per_rank_ += (num_bytes + sizeof(Line) - 1) / sizeof(Line);
  }
  const std::size_t num_ranks = schedule.ranks.size();
  try {
    lines_.resize(num_ranks * lines_per_rank_);
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw Error(ErrorCode::kOutOfMemory, fmt::format("the buffers of {} ranks with {} bytes each do not fit the memory "
                                                     "that this process can have",
                                                     num_ranks, lines_per_rank_ * sizeof(Line)));
  }
}

std::span<std::byte> Memory::buffer(int rank, int buffer) {
  const Place& place = places_[static_cast<std::size_t>(buffer)];
  const std::span<std::byte> all = std::as_writable_bytes(std::span(lines_));
  return all.subspan((static_cast<std::size_t>(rank) * lines_per_rank_ + place.line) * sizeof(Line), place.num_bytes);
}

View Memory::view(const Schedule& schedule, const Region& region) {
  const BufferDecl& decl = schedule.buffers[static_cast<std::size_t>(region.buffer)];
  return view_of(buffer(region.rank, region.buffer).data(), decl.dtype, decl.shape, region.box);
}

void poison_undefined(const Schedule& schedule, Memory& memory) {
  // 1. Set the inputs aside.
  const std::vector<Holding>& inputs = schedule.contract.inputs;
  std::vector<HostArray> saved;
  for (const Holding& input : inputs) {
    const Region& region = input.region;
    saved.emplace_back(schedule.buffers[static_cast<std::size_t>(region.buffer)].dtype, region.box.shape());
    meshmul::copy(saved.back().view(), memory.view(schedule, region), {});
  }
  // 2. Poison everything: a byte of ones is NaN in every float.
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
      const bool is_integer = accumulator_of(schedule.buffers[b].dtype) == Dtype::kI32;
      std::ranges::fill(memory.buffer(rank, static_cast<int>(b)), std::byte(is_integer ? 0x7F : 0xFF));
    }
  // 3. And the inputs back.
  for (std::size_t i = 0; i < inputs.size(); ++i)
    meshmul::copy(memory.view(schedule, inputs[i].region), saved[i].view(), {});
}

}  // namespace meshmul
