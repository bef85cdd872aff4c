#pragma once
// What memory allows: all ranks copy so many bytes, again and again, and do nothing else.

#include <atomic>
#include <cstdint>
#include <vector>

#include "execute/cpu/mapping.hpp"
#include "team.hpp"

namespace meshmul::measure {

class MemoryCopies {
 public:
  /// Each thread of `team` writes `bytes_to_write` and gets `bytes_to_get` from the next thread; 0 is none. Keeps a
  /// reference to `team`. Throws Error(kOutOfMemory).
  MemoryCopies(Team& team, std::int64_t bytes_to_write, std::int64_t bytes_to_get);

  /// So many times: each thread writes its source anew; and, once all have, gets bytes from the source of the next, again and
  /// again what that has written. The seconds from the first begin to the last end.
  double run(int times);

 private:
  void write_and_get(int number, std::int64_t& met);
  void meet(std::int64_t& met);

  Team& team_;
  std::int64_t bytes_to_get_;
  int looks_;                                             // of a thread that waits, before it yields
  std::vector<MemoryMapping> given_, sources_, targets_;  // by thread; no targets if nothing is got
  std::atomic<std::int64_t> arrived_{0};                  // of all threads, since the begin
};

}  // namespace meshmul::measure
