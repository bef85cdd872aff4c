#pragma once
// Schedules in their text form, as `verify`, `simulate` and `run` read them.

#include <string>
#include <string_view>

#include "meshmul/schedule.hpp"
#include "statement_options.hpp"

namespace meshmul::cli {

/// Whether what may be a statement or a schedule's file is the latter: `-`, the name of a file that there is, or a text that
/// has nothing of a statement.
bool is_schedule_file(const std::string& argument);

/// Reads the schedule in the file `path`, or on standard input for `-`. Throws Error(kInvalidArgument) that names the file;
/// one about its text names line and column too: `ring.txt:12:5:`.
Schedule read_schedule(const std::string& path);

/// Throws Error(kInvalidArgument) for an option that says how a statement becomes a schedule. `what_happens` goes on after
/// `the schedule ring.txt`: `is simulated as it was read`.
void refuse_statement_options(const StatementOptions& options, std::string_view what_happens);

/// Says on standard error that `schedule`, which goes on without proof, has none: how many findings there are, and which
/// command shows them. Says nothing if there are none. Of a large schedule nothing is looked for, and that is said.
void note_if_unproven(const Schedule& schedule, const std::string& path);

}  // namespace meshmul::cli
