#include "progress.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cassert>
#include <string>

namespace meshmul::cli {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""h;

/// A terminal whose output the test reads.
class Terminal {
 public:
  Terminal() {
    [[maybe_unused]] const int failed = openpty(&reader_, &writer_, nullptr, nullptr, nullptr);
    assert(failed == 0);
  }
  ~Terminal() {
    close(reader_);
    close(writer_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  int fd() const { return writer_; }
  /// Reads until `text` has come.
  std::string read_until(const std::string& text) {
    while (seen_.find(text) == std::string::npos) {
      char block[256];
      const ssize_t n = read(reader_, block, sizeof block);
      if (n <= 0) break;
      seen_.append(block, static_cast<std::size_t>(n));
    }
    return seen_;
  }
  /// What came, without waiting for more.
  std::string read_now() {
    fcntl(reader_, F_SETFL, O_NONBLOCK);
    return read_until("\x04");
  }

 private:
  int reader_ = -1, writer_ = -1;
  std::string seen_;
};

TEST(Progress, shows_the_phase_and_its_share_on_a_terminal) {
  Terminal terminal;
  Progress progress(terminal.fd(), 0ms);
  progress.begin("reading A", 200);
  progress.advance(50);
  EXPECT_THAT(terminal.read_until("25 %"), testing::HasSubstr("reading A 25 % ("));
}

TEST(Progress, erases_its_line_when_the_phase_ends) {
  Terminal terminal;
  Progress progress(terminal.fd(), 0ms);
  progress.begin("running");
  terminal.read_until("running");
  progress.end();
  EXPECT_THAT(terminal.read_now(), testing::EndsWith("\r\x1b[K"));
}

TEST(Progress, says_nothing_about_short_phases) {
  Terminal terminal;
  {
    Progress progress(terminal.fd(), 1h);
    progress.begin("running");
  }
  EXPECT_EQ(terminal.read_now(), "");
}

TEST(Progress, is_quiet_in_a_pipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    Progress progress(ends[1], 0ms);
    progress.begin("running");
    progress.advance(1);
  }
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace meshmul::cli
