#pragma once
// What ops cost without any work, and how soon a rank notices a signal.

#include "probe.hpp"

namespace meshmul::calibration {

struct SignalSeconds {
  double op = 0;      ///< what an op takes besides its work
  double notice = 0;  ///< until a rank that waits goes on
  double wake = 0;    ///< until one that sleeps does
};

/// With one rank nobody ever waits; what notices would take is then what an op takes.
SignalSeconds measure_signals(const Bench& bench);

}  // namespace meshmul::calibration
