#pragma once
// What it costs that rows of a box do not lie side by side.

#include "probe.hpp"

namespace meshmul::calibration {

/// Seconds of a row besides its bytes, in a copy from a peer, by footprint. `gets`: what its bytes take.
FootprintSeconds measure_runs(const Bench& bench, const FootprintRates& gets);

}  // namespace meshmul::calibration
