#include "meshmul/schedule.hpp"

#include <cassert>

#include "effects.hpp"
#include "vocabulary.hpp"

namespace meshmul {

std::string_view mnemonic(const Op& op) { return kMnemonics[op.index()]; }

const Statement& single_statement(const Contract& contract) {
  assert(contract.statements.size() == 1);
  return std::get<Statement>(contract.statements.front().form);
}

std::int64_t bytes_per_rank(const Schedule& schedule) {
  std::int64_t bytes = 0;
  for (const BufferDecl& buffer : schedule.buffers) bytes += buffer.num_bytes();
  return bytes;
}

std::int64_t bytes_between_ranks(const Schedule& schedule) {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const auto add_peers = [&](const std::vector<Region>& regions) {
      for (const Region& region : regions) {
        const Dtype dtype = schedule.buffers[static_cast<std::size_t>(region.buffer)].dtype;
        if (region.rank != rank) bytes += region.box.num_elements() * size_bytes(dtype);
      }
    };
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) {
        const Effects effects = effects_of(op, rank);
        add_peers(effects.reads);
        add_peers(effects.writes);
      }
  }
  return bytes;
}

std::int64_t line_of(const Schedule& schedule, const OpPlace& place) {
  const Lane& read = schedule.ranks[static_cast<std::size_t>(place.rank)].lanes[static_cast<std::size_t>(place.lane)];
  if (read.lines.size() == read.ops.size()) return read.lines[static_cast<std::size_t>(place.op)];
  constexpr std::size_t kHeaderLines = 3;  // version, mesh, requires
  const Contract& contract = schedule.contract;
  std::size_t lines = kHeaderLines + contract.statements.size() + (contract.displaced ? 1 : 0) +
                      schedule.buffers.size() + schedule.signals.size() + contract.inputs.size() +
                      contract.outputs.size();
  for (int rank = 0; rank <= place.rank; ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    if (!lanes.empty()) ++lines;
    const std::size_t full = rank < place.rank ? lanes.size() : static_cast<std::size_t>(place.lane);
    for (std::size_t lane = 0; lane < full; ++lane) lines += 1 + lanes[lane].ops.size();
  }
  return static_cast<std::int64_t>(lines) + 1 + place.op + 1;
}

}  // namespace meshmul
