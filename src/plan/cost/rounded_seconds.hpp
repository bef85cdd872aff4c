#pragma once
// Times that can be compared after they were added up.

namespace meshmul {

/// To 40 significant bits, by Veltkamp's splitting: sums of a few such times of like size are exact, so that ways that
/// cost the same in another order tie.
inline double rounded_seconds(double seconds) {
  constexpr double kSplitter = 0x1p13 + 1;
  const double scaled = seconds * kSplitter;
  return scaled - (scaled - seconds);
}

}  // namespace meshmul
