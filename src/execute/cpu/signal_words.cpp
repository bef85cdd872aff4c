#include "signal_words.hpp"

#include <cassert>

#include "schedule/effects.hpp"

namespace meshmul {

SignalWords::SignalWords(const Schedule& schedule)
    : num_signals_(schedule.signals.size()), words_(schedule.ranks.size() * num_signals_) {
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane) {
      for (const Op& op : lanes[static_cast<std::size_t>(lane)].ops) {
        for (const Raise& raise : effects_of(op, rank).raises) {
          SignalWordUse& word = words_[index(raise.rank, raise.signal)];
          assert(word.raises_per_run == 0 || (word.writer_rank == rank && word.writer_lane == lane));
          word.writer_rank = rank;
          word.writer_lane = lane;
          ++word.raises_per_run;
        }
      }
    }
  }
}

}  // namespace meshmul
