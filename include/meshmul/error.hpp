#pragma once
// The one exception type of meshmul: a code, a sentence, and the place in a text where there is one.

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace meshmul {

/// Whose fault it is, which decides the exit code of the command line.
enum class ErrorCode {
  kInvalidArgument,  ///< the input is wrong: statement, mesh, file, dtype, size, option (exit 2)
  kOutOfMemory,      ///< more memory is needed than is available; says both numbers (exit 2)
  kUnsupported,      ///< legal, but this backend or build cannot do it (exit 2)
  kRankFailed,       ///< a rank died, stalled or threw; names rank, op, signal (exit 3)
  kMachine,          ///< the machine failed: a system call, a full disk (exit 3)
  kInterrupted,      ///< SIGINT or SIGTERM ended the run (exit 130 or 143)
};

/// A span of a text that somebody wrote: where the caret goes.
struct TextPlace {
  std::string text;
  std::size_t offset = 0;
  std::size_t length = 1;

  /// The line of the text, from 1, on which the span begins.
  std::size_t line() const;
  bool operator==(const TextPlace&) const = default;
};

/// Good sentences name the thing, what was found and what was expected. Of one that quotes so much that it passes 2000
/// bytes, the middle is replaced by `…`; control characters become blanks.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& sentence);
  Error(ErrorCode code, const std::string& sentence, TextPlace place);

  ErrorCode code() const { return code_; }
  const std::optional<TextPlace>& place() const { return place_; }

  /// The sentence, and where a place is known the line of text with a caret under it; of a line of more than 160
  /// characters, some 80 on each side of the place, and `…` for the rest:
  ///
  ///     A[I_X, J_X] * B[J, K] -> C[I, K]
  ///              ^ mesh axis X already cuts dimension I of A; an axis can be used once per array
  std::string report() const;

 private:
  ErrorCode code_;
  std::optional<TextPlace> place_;
};

}  // namespace meshmul
