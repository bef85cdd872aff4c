// What can be seen on each declaration, op and signal word by itself.

#include <fmt/format.h>

#include <string>

#include "op_checks.hpp"
#include "rules.hpp"
#include "run_steps.hpp"
#include "schedule/effects.hpp"
#include "words.hpp"

namespace meshmul::verification {
namespace {

// Every word has one writing lane.
class WriterChecker {
 public:
  WriterChecker(const Schedule& schedule, std::vector<Finding>& findings)
      : schedule_(schedule), findings_(findings), writers_(schedule.ranks.size() * schedule.signals.size()) {}

  void check(const OpPlace& place, const Op& op) {
    for (const Raise& raise : raises_of(op, place.rank)) check(place, raise);
  }

 private:
  struct Writer {
    int rank = -1;
    int lane = 0;
    bool reported = false;
  };

  void check(const OpPlace& place, const Raise& raise) {
    Writer& writer = writers_[static_cast<std::size_t>(raise.rank) * schedule_.signals.size() +
                              static_cast<std::size_t>(raise.signal)];
    if (writer.rank < 0) {
      writer = {place.rank, place.lane, false};
    } else if (!writer.reported && (writer.rank != place.rank || writer.lane != place.lane)) {
      writer.reported = true;
      findings_.push_back(
          {Rule::kWellFormed, place,
           fmt::format("raises {} at rank {}, as {} does; a signal word has one writing lane",
                       schedule_.signals[static_cast<std::size_t>(raise.signal)].name, raise.rank, lane_text(writer))});
    }
  }

  std::string lane_text(const Writer& writer) const {
    const RankProgram& program = schedule_.ranks[static_cast<std::size_t>(writer.rank)];
    return fmt::format("rank {}, lane {}", writer.rank, program.lanes[static_cast<std::size_t>(writer.lane)].name);
  }

  const Schedule& schedule_;
  std::vector<Finding>& findings_;
  std::vector<Writer> writers_;  // by word
};

// Sizes of buffers; what the parser checks too, for schedules that were not parsed.
void check_declarations(const Schedule& schedule, std::vector<Finding>& findings) {
  const auto fault = [&](const std::string& sentence) {
    findings.push_back({Rule::kWellFormed, std::nullopt, sentence});
  };
  if (schedule.num_ranks() != schedule.contract.mesh.num_devices())
    fault(fmt::format("the schedule has {} ranks; the mesh {} has {} devices", schedule.num_ranks(),
                      schedule.contract.mesh.str(), schedule.contract.mesh.num_devices()));
  for (const BufferDecl& buffer : schedule.buffers) {
    if (buffer.shape.size() > kMaxDims)
      fault(
          fmt::format("buffer {} has {} dimensions; expected at most {}", buffer.name, buffer.shape.size(), kMaxDims));
    for (const std::int64_t extent : buffer.shape)
      if (extent < 0) fault(fmt::format("buffer {} has a negative extent: {}", buffer.name, shape_text(buffer.shape)));
  }
}

void check_ops(const Schedule& schedule, std::vector<Finding>& findings) {
  EinsumCache einsums;
  WriterChecker writers(schedule, findings);
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const std::vector<Op>& ops = lanes[lane].ops;
      for (std::size_t i = 0; i < ops.size(); ++i) {
        if (i + kAhead < ops.size()) prefetch(ops[i + kAhead]);
        const OpPlace place{rank, static_cast<int>(lane), static_cast<int>(i)};
        if (check_op(schedule, place, ops[i], einsums, findings)) writers.check(place, ops[i]);
      }
    }
  }
}

}  // namespace

std::vector<Finding> check_program(const Schedule& schedule) {
  std::vector<Finding> findings;
  check_declarations(schedule, findings);
  if (findings.empty()) check_ops(schedule, findings);
  return findings;
}

std::vector<Finding> check_well_formed(const Schedule& schedule) {
  std::vector<Finding> findings;
  check_declarations(schedule, findings);
  if (!findings.empty()) return findings;
  check_ops(schedule, findings);
  const std::vector<Finding> of_holdings = check_holdings(schedule);
  findings.insert(findings.end(), of_holdings.begin(), of_holdings.end());
  return findings;
}

}  // namespace meshmul::verification
