#include "signal_words.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"
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
          if (word.raises_per_run++ == 0) {
            word.writer_rank = rank;
            word.writer_lane = lane;
          } else if (word.writer_rank != rank || word.writer_lane != lane) {
            throw Error(ErrorCode::kInvalidArgument,
                        fmt::format("signal {} of rank {} is raised by two lanes, lane {} of rank {} and lane {} of "
                                    "rank {}; a word has one writing lane",
                                    schedule.signals[static_cast<std::size_t>(raise.signal)].name, raise.rank,
                                    schedule.ranks[static_cast<std::size_t>(word.writer_rank)]
                                        .lanes[static_cast<std::size_t>(word.writer_lane)]
                                        .name,
                                    word.writer_rank, lanes[static_cast<std::size_t>(lane)].name, rank));
          }
        }
      }
    }
  }
}

}  // namespace meshmul
