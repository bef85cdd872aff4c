#pragma once
// The counters of a run, and which lanes wait for them.

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "trace.hpp"

namespace meshmul::simulation {

class SignalWords {
 public:
  SignalWords(std::size_t num_words, std::size_t num_lanes) : words_(num_words), waiting_(num_lanes) {}

  std::uint64_t value(std::uint32_t word) const { return words_[word].value; }

  /// `lane` waits until `word` has risen to `threshold`.
  void wait(std::uint32_t word, std::uint64_t threshold, std::uint32_t lane) {
    waiting_[lane] = {threshold, words_[word].first_lane};
    words_[word].first_lane = lane;
  }

  /// Increment number `ordinal` has been made; it becomes visible once those before it have been. Calls `wake` with every
  /// lane that may go on.
  template <class Wake>
  void raise(std::uint32_t word, std::uint32_t ordinal, const Wake& wake) {
    Word& raised = words_[word];
    if (ordinal != raised.value) {
      early_.insert(key(word, ordinal));
      return;
    }
    ++raised.value;
    while (!early_.empty() && early_.erase(key(word, raised.value)) > 0) ++raised.value;
    wake_lanes(raised, wake);
  }

 private:
  struct Word {
    std::uint32_t value = 0;
    std::uint32_t first_lane = kNobody;
  };
  struct Waiting {
    std::uint64_t threshold = 0;
    std::uint32_t next_lane = kNobody;
  };

  static std::uint64_t key(std::uint32_t word, std::uint32_t ordinal) { return std::uint64_t{word} << 32 | ordinal; }

  template <class Wake>
  void wake_lanes(Word& word, const Wake& wake) {
    for (std::uint32_t* link = &word.first_lane; *link != kNobody;) {
      const std::uint32_t lane = *link;
      if (waiting_[lane].threshold > word.value) {
        link = &waiting_[lane].next_lane;
      } else {
        *link = waiting_[lane].next_lane;
        wake(lane);
      }
    }
  }

  std::vector<Word> words_;
  std::vector<Waiting> waiting_;             // by lane
  std::unordered_set<std::uint64_t> early_;  // made before their turn
};

}  // namespace meshmul::simulation
