#pragma once
// One line on a terminal that says what long work is doing; nothing at all where the output is not a terminal.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace meshmul::cli {

/// Draws phases that last longer than `patience`. A thread of its own redraws, so that a phase which reports nothing
/// still shows its seconds. The line is erased when the phase or the object ends.
class Progress {
 public:
  explicit Progress(int fd, std::chrono::milliseconds patience = std::chrono::seconds(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins a phase, `reading A`; with `total` the line shows per cent of it.
  void begin(std::string what, std::int64_t total = 0);
  /// So much more of the phase's total is done.
  void advance(std::int64_t amount);
  /// Ends the phase.
  void end();

 private:
  void redraw_until_stopped(const std::stop_token& stop);
  void draw();
  void erase();

  const int fd_;
  const std::chrono::milliseconds patience_;
  std::mutex mutex_;  ///< guards all below
  std::condition_variable_any changed_;
  std::string what_;
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  std::optional<std::chrono::steady_clock::time_point> began_;
  bool drawn_ = false;
  std::jthread painter_;  ///< last, so that it ends before what it uses
};

}  // namespace meshmul::cli
