#pragma once
// A probe is a little schedule whose ops are timed.

#include <cstdint>
#include <vector>

#include "meshmul/calibrate.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul::calibration {

/// What all probes of a calibration share.
struct Bench {
  const Executor& executor;
  const CalibrateOptions& options;
  int ranks = 1;
};

/// A probe without ops: one lane a rank.
Schedule empty_probe(int ranks);
/// The ops of a rank of a probe.
std::vector<Op>& ops_of(Schedule& probe, int rank);

/// A loaded probe, its buffers filled with random values, that ran once.
class LoadedProbe {
 public:
  LoadedProbe(const Bench& bench, Schedule probe);

  /// Runs it and keeps how long each op took.
  void run();
  /// By op, in the order of the schedule: what is typical of all runs.
  std::vector<double> op_seconds() const;
  /// When what took place in the last run.
  Timeline timeline() const { return session_->timeline().value(); }

 private:
  void fill();

  Schedule probe_;
  std::unique_ptr<Session> session_;
  std::vector<std::vector<double>> seconds_;  // by op
};

/// Runs several probes in turn, as many rounds as the options ask for.
void run_in_turn(const Bench& bench, std::vector<LoadedProbe>& probes);

/// What a quarter of the values lie below: others that use the machine only ever add time.
double typical(std::vector<double> values);

}  // namespace meshmul::calibration
