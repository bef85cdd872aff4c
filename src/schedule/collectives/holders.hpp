#pragma once
// Who has what a rank wants: the parts of a box, each from the nearest rank that holds it.

#include <vector>

#include "../placed_array.hpp"

namespace meshmul {

/// A part of an array, and the rank that it is taken from.
struct Holder {
  int rank = 0;
  Box part;
};

/// `wanted`, a box of the array `from`, in parts that do not overlap: first what `rank` itself holds, then what lies at
/// ranks that differ from it along one mesh axis, then two, …; among these at the next higher rank first, so that not all
/// ranks turn to one peer.
std::vector<Holder> holders_of(const Mesh& mesh, const PlacedArray& from, int rank, const Box& wanted);

}  // namespace meshmul
