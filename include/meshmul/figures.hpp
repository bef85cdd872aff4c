#pragma once
// Figures that a person works out beside a plan: what a chip can do per byte, what one hop carries, how long a read takes.

#include <optional>

#include "meshmul/array_type.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"

namespace meshmul {

/// Of one chip with products of one dtype.
struct ChipFigures {
  double flops_per_second = 0;
  /// What moves along one axis of a torus in both directions, W = 2 w; on a switch what a device sends at once, w.
  double axis_bytes_per_second = 0;
  double network_intensity = 0;  ///< FLOPs in the time of a byte along one axis
  double memory_intensity = 0;   ///< FLOPs in the time of a byte of the memory that holds the arrays
  double latency_bytes = 0;      ///< w T: a message below this takes less time than its hop
};

/// Throws Error(kInvalidArgument) if the chip has no rate for products of `dtype`.
ChipFigures chip_figures(const Hardware& hardware, Dtype dtype);

/// Of the pieces that a collective sends: a chunk is the part that one device has for one other.
struct ChunkFigures {
  double bytes = 0;
  double seconds = 0;          ///< over one link in one direction, or through one port
  double hops_per_link = 0;    ///< chunks over the busiest link in its busier direction
  double hops_per_device = 0;  ///< chunks that a device sends, forwarded ones counted again
};

/// Nothing for other moves than AllGather, ReduceScatter, AllReduce and AllToAll, and for chunks of no bytes.
std::optional<ChunkFigures> chunk_figures(const Move& move, const Mesh& mesh, const Hardware& hardware);

/// Seconds that a device takes to read its shard from the memory that holds the arrays.
double read_seconds(const ArrayType& type, const Mesh& mesh, const Hardware& hardware);

}  // namespace meshmul
