#pragma once
// Makes reads of memory that nothing has written show: NaN in floats, 0x7F bytes in integers.

#include <cstddef>
#include <span>

#include "meshmul/schedule.hpp"
#include "own_heap.hpp"
#include "world_memory.hpp"

namespace meshmul {

/// The byte that such memory is filled with where elements of `dtype` are to lie.
std::byte poison_of(Dtype dtype);

/// Fills memory in which elements of `dtype` are to lie.
void poison(std::span<std::byte> bytes, Dtype dtype);

/// Fills every shared buffer of every rank that holds no input.
void poison_shared_buffers(const Schedule& schedule, const WorldMemory& memory);

/// Fills every own buffer of one rank; none of them holds an input.
void poison_own_buffers(const Schedule& schedule, const OwnHeap& heap);

}  // namespace meshmul
