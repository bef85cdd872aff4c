#pragma once
// Two runs of a schedule back to back, written out as one schedule: in a lane of its own, the host of each rank waits for
// all lanes, reads the outputs, writes the inputs, and lets the lanes go on.

#include <string>
#include <utility>
#include <vector>

#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"

namespace meshmul::testing {

class TwoRuns {
 public:
  explicit TwoRuns(const Schedule& schedule) : one_(schedule), both_(schedule) {
    for (const BufferDecl& buffer : one_.buffers)
      both_.buffers.push_back({buffer.name + ".host", buffer.dtype, buffer.shape, false});
    count_increments();
  }

  Schedule build() {
    for (int rank = 0; rank < one_.num_ranks(); ++rank) {
      std::vector<Lane>& lanes = both_.ranks[static_cast<std::size_t>(rank)].lanes;
      Lane host{"host", {}};
      std::vector<Op> release;
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        const int done = signal("done", rank, i);
        const int go = signal("go", rank, i);
        host.ops.push_back(Wait{done, 1});
        release.push_back(Signal{rank, go});
        write_lane(rank, lanes[i], done, go);
      }
      add_host_ops(rank, host);
      host.ops.insert(host.ops.end(), release.begin(), release.end());
      lanes.push_back(std::move(host));
    }
    return std::move(both_);
  }

 private:
  void count_increments() {
    increments_.assign(one_.ranks.size(), std::vector<std::uint64_t>(one_.signals.size()));
    for (int rank = 0; rank < one_.num_ranks(); ++rank)
      for (const Lane& lane : one_.ranks[static_cast<std::size_t>(rank)].lanes)
        for (const Op& op : lane.ops)
          for (const Raise& raise : effects_of(op, rank).raises)
            ++increments_[static_cast<std::size_t>(raise.rank)][static_cast<std::size_t>(raise.signal)];
  }

  int signal(const std::string& what, int rank, std::size_t lane) {
    both_.signals.push_back({what + std::to_string(rank) + "." + std::to_string(lane)});
    return static_cast<int>(both_.signals.size()) - 1;
  }

  void write_lane(int rank, Lane& lane, int done, int go) const {
    const std::vector<Op> first = lane.ops;
    lane.ops.push_back(Signal{rank, done});
    lane.ops.push_back(Wait{go, 1});
    for (Op op : first) {
      if (auto* wait = std::get_if<Wait>(&op))
        wait->threshold += increments_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(wait->signal)];
      lane.ops.push_back(std::move(op));
    }
  }

  void add_host_ops(int rank, Lane& host) const {
    const auto at_host = [this](Region region) {
      region.buffer += static_cast<int>(one_.buffers.size());
      return region;
    };
    for (const Holding& output : one_.contract.outputs)
      if (output.region.rank == rank) host.ops.push_back(Copy{at_host(output.region), output.region, {}, {}});
    for (const Holding& input : one_.contract.inputs)
      if (input.region.rank == rank) host.ops.push_back(Copy{input.region, at_host(input.region), {}, {}});
  }

  const Schedule& one_;
  Schedule both_;
  std::vector<std::vector<std::uint64_t>> increments_;  // of a run, by rank and signal
};

}  // namespace meshmul::testing
