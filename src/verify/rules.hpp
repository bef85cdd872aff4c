#pragma once
// The rules, each a function from a schedule to findings. Each names what must hold before it may be asked.

#include <cstdint>
#include <optional>
#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/verify.hpp"
#include "token_run.hpp"

namespace meshmul::verification {

class RaceWalk;

/// Whatever can be seen on each declaration, op, signal word and holding by itself. Any schedule may be asked.
std::vector<Finding> check_well_formed(const Schedule& schedule);

/// The part of well-formed that looks at declarations, ops and signal words: what whoever carries out a schedule, right
/// or wrong, must be able to rely on.
std::vector<Finding> check_program(const Schedule& schedule);

/// The part of well-formed that looks at the holdings. The ranks of the schedule are the devices of its mesh.
std::vector<Finding> check_holdings(const Schedule& schedule);

/// Lanes that never finish, from the greedy run of a well-formed schedule.
std::vector<Finding> check_deadlock(const Schedule& schedule, const TokenRun& run);

/// Pairs of accesses to the same memory, one of them writing, of which neither is over before the other starts.
std::vector<Finding> check_races(const Schedule& schedule, const RaceWalk& walk);

/// Races between the ops of one run and those of the next, where every rank begins its next run as soon as its own lanes
/// are through. `walk` is over a run that is followed, and found no races.
std::vector<Finding> check_back_to_back(const Schedule& schedule, const RaceWalk& walk);

/// Words that are raised and that nobody awaits. A wait in the next run, for whatever threshold, comes after all
/// increments of this one. The schedule is well-formed, and `run` its run, finished or not.
std::vector<Finding> check_drained(const Schedule& schedule, const TokenRun& run);

/// Buffers that take more than `bytes_per_rank` together, if that is given, and then the parts of them that nothing touches.
/// The schedule is well-formed.
std::vector<Finding> check_memory(const Schedule& schedule, std::optional<std::int64_t> bytes_per_rank);

/// Values: nothing undefined is read, no term is added twice, and every output holds every term once. `run` finished.
std::vector<Finding> check_coverage(const Schedule& schedule, const TokenRun& run);

}  // namespace meshmul::verification
