#pragma once
// What an array takes on its devices, in words and numbers.

#include "cost_options.hpp"
#include "json.hpp"
#include "meshmul/array_type.hpp"

namespace meshmul::cli {

/// Shapes, bytes, copies; with a given hardware the time to read a shard; with a device the indices that it holds.
/// Every size is known.
std::string array_cost(const ArrayType& type, const CostQuestion& question);

/// An interval of an index: a dimension, and which elements of it a device has.
struct HeldIndex {
  std::string index;  ///< empty for a dimension without one
  Interval elements;
};

std::vector<HeldIndex> held_indices(const ArrayType& type, const Mesh& mesh, int device);

/// `I 0 to 3, J none`.
std::string as_text(const std::vector<HeldIndex>& held);
Json as_json(const std::vector<HeldIndex>& held);

}  // namespace meshmul::cli
