#pragma once
// Who writes each signal word, and how far it rises in one run: what turns counters into absolute values.

#include <cstdint>
#include <optional>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

struct SignalWordUse {
  int writer_rank = -1;  ///< -1 if no lane raises it
  int writer_lane = -1;
  std::uint64_t raises_per_run = 0;
};

/// The use of every signal word of a schedule.
class SignalWords {
 public:
  /// Each word has one writing lane, as the verifier sees to.
  explicit SignalWords(const Schedule& schedule);

  const SignalWordUse& at(int rank, int signal) const { return words_[index(rank, signal)]; }

 private:
  std::size_t index(int rank, int signal) const {
    return static_cast<std::size_t>(rank) * num_signals_ + static_cast<std::size_t>(signal);
  }

  std::size_t num_signals_;
  std::vector<SignalWordUse> words_;
};

}  // namespace meshmul
