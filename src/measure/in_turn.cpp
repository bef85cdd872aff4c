#include "in_turn.hpp"

#include <chrono>
#include <cstddef>

#include "meshmul/error.hpp"

namespace meshmul::measure {
namespace {

struct Pair {
  double reference_seconds, seconds;
};

// One pair a contender; fewer if it was stopped, between measurements or in the midst of one.
std::vector<Pair> measure_round(const Timed& reference, const std::vector<Timed>& contenders,
                                const InTurnOptions& options) {
  std::vector<Pair> round;
  try {
    for (const Timed& contender : contenders) {
      if (options.stop()) break;
      const double before = reference();
      if (options.stop()) break;
      round.push_back({before, contender()});
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInterrupted) throw;
  }
  return round;
}

}  // namespace

std::vector<Pairs> measure_in_turn(const Timed& reference, const std::vector<Timed>& contenders,
                                   const InTurnOptions& options) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::vector<Pairs> pairs(contenders.size());
  for (int round = 0; round <= options.rounds; ++round) {
    if (round > 1 && seconds() > options.max_seconds) break;
    const std::vector<Pair> measured = measure_round(reference, contenders, options);
    if (measured.size() < contenders.size()) break;
    for (std::size_t i = 0; round > 0 && i < measured.size(); ++i) {
      pairs[i].reference_seconds.push_back(measured[i].reference_seconds);
      pairs[i].seconds.push_back(measured[i].seconds);
    }
  }
  return pairs;
}

}  // namespace meshmul::measure
