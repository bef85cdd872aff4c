#pragma once
// Ctrl-C and SIGTERM as a flag that long work polls, so that ranks are reaped and temporary files removed.

namespace meshmul::cli {

/// From now on the first SIGINT or SIGTERM sets the flag. A second one ends the process at once, and so do three
/// seconds: a rank in the middle of a long product cannot be stopped while it is a thread.
void catch_interrupts();

/// The signal that came, or 0.
int interrupted_by();

/// Throws Error(kInterrupted) if one came.
void stop_if_interrupted();

}  // namespace meshmul::cli
