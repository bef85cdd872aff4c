#include "plan/on_chip.hpp"

#include "meshmul/figures.hpp"
#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

/// While one chunk is worked on the next one arrives.
constexpr double kSlots = 2;

/// The last move that made `input` before step `end`; null if it is there from the start.
const Move* move_into(const std::vector<Step>& steps, std::size_t end, const ArrayType& input) {
  for (std::size_t i = end; i-- > 0;)
    if (const auto* move = std::get_if<Move>(&steps[i]); move != nullptr && move->to.name == input.name) return move;
  return nullptr;
}

/// The first move of `output` from step `begin` on; null if it stays.
const Move* move_out_of(const std::vector<Step>& steps, std::size_t begin, const ArrayType& output) {
  for (std::size_t i = begin; i < steps.size(); ++i)
    if (const auto* move = std::get_if<Move>(&steps[i]); move != nullptr && move->from.name == output.name) return move;
  return nullptr;
}

/// The part of an array that lies still while `move` brings it, or takes it away, in chunks.
const ArrayType& still_part(const ArrayType& array, const Move* move) {
  if (move == nullptr) return array;
  switch (move->kind) {
    case MoveKind::kAllGather:
    case MoveKind::kAllToAll: return move->from;
    case MoveKind::kReduceScatter: return move->to;
    case MoveKind::kAllReduce:
    case MoveKind::kSlice:
    case MoveKind::kUnreduce:
    case MoveKind::kPermute:
    case MoveKind::kRedistribute: return array;
  }
  __builtin_unreachable();
}

}  // namespace

std::optional<OnChip> on_chip(const std::vector<Step>& steps, const Mesh& mesh, const Hardware& hardware) {
  if (!hardware.chip.on_chip_bytes) return std::nullopt;
  std::optional<OnChip> most;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto* product = std::get_if<LocalProduct>(&steps[i]);
    if (product == nullptr) continue;
    OnChip needed{*hardware.chip.on_chip_bytes, 0, 0};
    const auto add = [&](const ArrayType& array, const Move* move) {
      needed.shard_bytes += static_cast<double>(max_local_bytes(still_part(array, move), mesh));
      if (move == nullptr) return;
      if (const auto chunk = chunk_figures(*move, mesh, hardware)) needed.slot_bytes += kSlots * chunk->bytes;
    };
    add(product->a, move_into(steps, i, product->a));
    add(product->b, move_into(steps, i, product->b));
    add(product->c, move_out_of(steps, i + 1, product->c));
    if (!most || needed.bytes() > most->bytes()) most = needed;
  }
  return most;
}

}  // namespace meshmul
