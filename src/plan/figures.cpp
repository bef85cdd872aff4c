#include "meshmul/figures.hpp"

#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

/// What one device has for one other.
double chunk_bytes(const Move& move, const Mesh& mesh) {
  const auto group = static_cast<double>(mesh.size(move.axes));
  const auto from = static_cast<double>(max_local_bytes(move.from, mesh));
  switch (move.kind) {
    case MoveKind::kAllGather: return from;
    case MoveKind::kReduceScatter:
    case MoveKind::kAllReduce:
    case MoveKind::kAllToAll: return from / group;
    case MoveKind::kSlice:
    case MoveKind::kUnreduce:
    case MoveKind::kPermute:
    case MoveKind::kRedistribute: return 0;
  }
  __builtin_unreachable();
}

}  // namespace

ChipFigures chip_figures(const Hardware& hardware, Dtype dtype) {
  const Network& network = hardware.network;
  ChipFigures figures;
  figures.flops_per_second = flops_per_second(hardware, dtype);
  figures.axis_bytes_per_second = network.link_bytes_per_second;
  if (network.kind == NetworkKind::kTorus && network.full_duplex) figures.axis_bytes_per_second *= 2;
  figures.network_intensity = figures.flops_per_second / figures.axis_bytes_per_second;
  figures.memory_intensity = figures.flops_per_second / hardware.chip.memory_bytes_per_second;
  figures.latency_bytes = network.link_bytes_per_second * network.hop_seconds;
  return figures;
}

std::optional<ChunkFigures> chunk_figures(const Move& move, const Mesh& mesh, const Hardware& hardware) {
  const double bytes = chunk_bytes(move, mesh);
  if (bytes == 0) return std::nullopt;
  return ChunkFigures{bytes, bytes / hardware.network.link_bytes_per_second, move.cost.link_bytes / bytes,
                      move.cost.bytes / bytes};
}

double read_seconds(const ArrayType& type, const Mesh& mesh, const Hardware& hardware) {
  return static_cast<double>(max_local_bytes(type, mesh)) / hardware.chip.memory_bytes_per_second;
}

}  // namespace meshmul
