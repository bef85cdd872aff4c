#include "heap_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/array_bytes.hpp"
#include "execute/cpu/available_memory.hpp"
#include "execute/cpu/poison.hpp"
#include "execute/cpu/world_memory.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

// Bytes from one rank to the next.
std::int64_t stride_of(const BufferDecl& buffer, int num_ranks) {
  if (buffer.shape.size() > static_cast<std::size_t>(kMaxDims))
    refuse(
        fmt::format("buffer {} has {} dimensions; at most {} are allowed", buffer.name, buffer.shape.size(), kMaxDims));
  Shape on_all_ranks = buffer.shape;
  on_all_ranks.insert(on_all_ranks.begin(), num_ranks);
  if (!count_bytes(on_all_ranks, size_bytes(buffer.dtype) + kPageBytes))
    refuse(fmt::format("buffer {} cannot have the shape [{}] on {} ranks", buffer.name, fmt::join(buffer.shape, ", "),
                       num_ranks));
  return std::max(kPageBytes, (buffer.num_bytes() + kPageBytes - 1) / kPageBytes * kPageBytes);
}

}  // namespace

HeapState::HeapState(Mesh mesh, const SymmetricHeapOptions& options, bool delayed)
    : mesh_(std::move(mesh)), options_(options), delayed_(delayed) {
  if (options_.num_channels < 1)
    refuse(fmt::format("a heap with {} channels has no barrier; expected 1 or more", options_.num_channels));
  for (int channel = 0; channel < options_.num_channels; ++channel)
    for (int round = 0; round < barrier_rounds(); ++round)
      barriers_.push_back(add_signal(fmt::format("barrier.{}.{}", channel, round)));
}

SymmetricBuffer HeapState::allocate(const std::string& name, Dtype dtype, const Shape& shape) {
  require_idle("allocate");
  BufferDecl declared{name, dtype, shape};
  const std::int64_t stride = stride_of(declared, num_ranks());
  require_memory({num_ranks(), stride, 0}, available_memory());
  buffers_.push_back({std::move(declared), MemoryMapping::anonymous(stride * num_ranks()), stride});
  const MemoryMapping& memory = buffers_.back().memory;
  if (delayed_ || options_.execute.poison) poison({memory.data(), static_cast<std::size_t>(memory.num_bytes())}, dtype);
  return {this, static_cast<int>(buffers_.size()) - 1};
}

SymmetricSignal HeapState::add_signal(const std::string& name) {
  require_idle("signal");
  signals_.push_back({name, std::vector<HeapWord>(static_cast<std::size_t>(num_ranks()))});
  return {this, static_cast<int>(signals_.size()) - 1};
}

int HeapState::barrier_rounds() const { return std::bit_width(static_cast<unsigned>(num_ranks() - 1)); }

View HeapState::view(int rank, const SymmetricSlice& slice) const {
  require_rank(rank);
  if (slice.heap != this) refuse("a slice of a buffer belongs to another heap");
  require_box(slice.buffer, slice.box);
  const HeapBuffer& buffer = this->buffer(slice.buffer);
  return view_of(buffer.memory.data() + rank * buffer.stride, buffer.declared.dtype, buffer.declared.shape, slice.box);
}

void HeapState::require_rank(int rank) const {
  if (rank < 0 || rank >= num_ranks())
    refuse(fmt::format("there is no rank {}; the heap has ranks 0 to {}", rank, num_ranks() - 1));
}

void HeapState::require_box(int index, const Box& box) const {
  const BufferDecl& buffer = this->buffer(index).declared;
  bool lies_in = box.num_dims() == static_cast<int>(buffer.shape.size());
  for (int d = 0; lies_in && d < box.num_dims(); ++d)
    lies_in =
        0 <= box[d].begin && box[d].begin <= box[d].end && box[d].end <= buffer.shape[static_cast<std::size_t>(d)];
  if (!lies_in)
    refuse(fmt::format("{}{} does not lie in {}, whose shape is [{}]", buffer.name, box.str(), buffer.name,
                       fmt::join(buffer.shape, ", ")));
}

void HeapState::begin_run() {
  require_idle("spmd");
  running_ = true;
  for (HeapSignal& signal : signals_)
    for (HeapWord& word : signal.words) {
      word.base = word.value.load();
      word.promised = 0;
      word.writer.store(HeapWord::kNobody);
    }
}

void HeapState::require_idle(std::string_view what) const {
  if (running_)
    refuse(fmt::format("{}: ranks are running; it is for the program that owns the heap, between runs", what));
}

}  // namespace meshmul
