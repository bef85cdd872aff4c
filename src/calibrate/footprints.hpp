#pragma once
// How fast cores read and write, by how much memory they go through.

#include <optional>

#include "probe.hpp"

namespace meshmul::calibration {

/// Rates of copies within a rank and to a peer, of copies from a peer, of additions of what lies at a peer, of sums of an own
/// and a peer's term, and of maps of two sources: each by one rank alone, and while all ranks do so with what others wrote.
struct MeasuredRates {
  FootprintRates copies, gets, reductions, sums, maps;
  std::optional<Streams> streams;  ///< nothing where no footprint has room for what is written past the caches
};
MeasuredRates measure_footprints(const Bench& bench);

}  // namespace meshmul::calibration
