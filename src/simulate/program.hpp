#pragma once
// A schedule as the event loop reads it: every op with its durations, its links and its signal words, in flat arrays.

#include <cstdint>
#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/simulate.hpp"
#include "network.hpp"
#include "routes.hpp"

namespace meshmul::simulation {

enum class Action : std::uint8_t {
  kWork,      ///< gemm, copy, reduce, map: the lane goes on once it is done
  kTransfer,  ///< put, get: the lane goes on at once
  kSignal,
  kWait,
};

/// Increment number `ordinal` of a word, counted from 0 in the program order of its one writer.
struct Increment {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t word = kNone;
  std::uint32_t ordinal = 0;
};

struct FlatOp {
  static constexpr std::uint32_t kNoUnit = ~std::uint32_t{0};

  std::int64_t amount = 0;     ///< kWork: of its arithmetic; kSignal: its latency; kWait: the threshold
  std::int64_t memory_ps = 0;  ///< kWork: of its bytes
  Increment read_done;         ///< of a put, when its bytes have left
  Increment done;              ///< of every other event; of a kWait, `word` is what it waits for
  std::uint32_t first_transfer = 0;
  std::uint16_t num_transfers = 0;  ///< of kWork: those of the operands that lie at peers
  Action action = Action::kWork;
  bool read_at_end = false;  ///< a get: its bytes have been read when they have come
  std::uint32_t lane = 0;
  std::uint32_t unit = kNoUnit;  ///< the core or copy engines that it takes, if others may take them too
};

/// Bytes that go from rank to rank.
struct FlatTransfer {
  std::int64_t link_ps[kNumLevels] = {};  ///< on a link of each level
  std::uint32_t first_hop = 0;
  std::uint32_t num_hops = 0;
  std::uint32_t op = 0;
  std::uint32_t part = 0;  ///< of the transfers of its op
};

struct FlatLane {
  std::uint32_t first = 0;  ///< ops first … end - 1
  std::uint32_t end = 0;
  std::uint32_t memory = 0;  ///< of its rank
};

struct FlatProgram {
  std::vector<FlatOp> ops;                     ///< in the order of the schedule: rank, lane, op
  std::vector<std::uint32_t> first_transfers;  ///< by op, once more: the event loop asks at every hop
  std::vector<FlatLane> lanes;
  std::vector<FlatTransfer> transfers;
  std::size_t num_hops = 0;  ///< of all transfers together
  KeptHops routes;
  std::vector<std::uint8_t> level;  ///< by link
  std::size_t num_words = 0;
  std::vector<std::uint32_t> unit_capacities;  ///< ops at a time
  std::size_t num_memories = 0;                ///< that ranks share; 0: each rank has its own
  bool store_and_forward = false;
};

/// The schedule is well-formed. Throws Error(kInvalidArgument) if the chip has no rate for a product, or if all durations
/// together are more than a timeline can hold.
FlatProgram flatten(const Schedule& schedule, const Hardware& hardware, const Network& network,
                    const SimulateOptions& options);

}  // namespace meshmul::simulation
