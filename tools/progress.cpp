#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace meshmul::cli {
namespace {

constexpr std::chrono::milliseconds kRedrawEvery{200};

/// A terminal that is gone is no reason to fail.
void write_some(int fd, const std::string& text) {
  [[maybe_unused]] const auto n = write(fd, text.data(), text.size());
}

}  // namespace

Progress::Progress(int fd, std::chrono::milliseconds patience) : fd_(fd), patience_(patience) {
  if (isatty(fd_) == 1) painter_ = std::jthread([this](const std::stop_token& stop) { redraw_until_stopped(stop); });
}

Progress::~Progress() { end(); }

void Progress::begin(std::string what, std::int64_t total) {
  end();
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  total_ = total;
  done_ = 0;
  began_ = std::chrono::steady_clock::now();
}

void Progress::advance(std::int64_t amount) {
  const std::lock_guard lock(mutex_);
  done_ += amount;
}

void Progress::end() {
  const std::lock_guard lock(mutex_);
  erase();
  began_.reset();
}

void Progress::redraw_until_stopped(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (began_ && std::chrono::steady_clock::now() - *began_ >= patience_) draw();
    changed_.wait_for(lock, stop, kRedrawEvery, [] { return false; });
  }
}

void Progress::draw() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - *began_;
  std::string line = what_;
  if (total_ > 0) line += fmt::format(" {:.0f} %", 100.0 * static_cast<double>(done_) / static_cast<double>(total_));
  line += fmt::format(" ({:.0f} s)", elapsed.count());
  write_some(fd_, "\r\x1b[K" + line);
  drawn_ = true;
}

void Progress::erase() {
  if (drawn_) write_some(fd_, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace meshmul::cli
