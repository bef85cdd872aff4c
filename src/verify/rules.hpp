#pragma once
// The rules, each a function from a schedule to findings. Each names what must hold before it may be asked.

#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/verify.hpp"
#include "token_run.hpp"

namespace meshmul::verification {

/// Whatever can be seen on each declaration, op, signal word and holding by itself. Any schedule may be asked.
std::vector<Finding> check_well_formed(const Schedule& schedule);

/// The part of well-formed that looks at declarations, ops and signal words: what whoever carries out a schedule, right
/// or wrong, must be able to rely on.
std::vector<Finding> check_program(const Schedule& schedule);

/// The part of well-formed that looks at the holdings. The ranks of the schedule are the devices of its mesh.
std::vector<Finding> check_holdings(const Schedule& schedule);

/// Lanes that never finish, from the greedy run of a well-formed schedule.
std::vector<Finding> check_deadlock(const Schedule& schedule, const TokenRun& run);

/// Pairs of accesses to the same memory, one of them writing, of which neither is over before the other starts. `run`
/// finished.
std::vector<Finding> check_races(const Schedule& schedule, const TokenRun& run);

/// Values: nothing undefined is read, no term is added twice, and every output holds every term once. `run` finished.
std::vector<Finding> check_coverage(const Schedule& schedule, const TokenRun& run);

}  // namespace meshmul::verification
