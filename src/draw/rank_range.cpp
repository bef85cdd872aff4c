// Ranges of ranks as people write them: `0-7`, `3`.

#include <fmt/format.h>

#include <charconv>

#include "meshmul/draw.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

[[noreturn]] void fail(std::string_view text, std::size_t at, const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message, TextPlace{std::string(text), at, 1});
}

// The number at `at`, which moves behind it.
int read_rank(std::string_view text, std::size_t& at, int num_ranks) {
  int rank = 0;
  const char* begin = text.data() + at;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, rank);
  if (begin == end || *begin == '-' || error == std::errc::invalid_argument)
    fail(text, at, "expected a rank, as in 0-7 or 3");
  if (error != std::errc{} || rank >= num_ranks)
    fail(text, at,
         fmt::format("rank {} does not exist: there are ranks 0 to {}",
                     std::string_view(begin, static_cast<std::size_t>(stop - begin)), num_ranks - 1));
  at += static_cast<std::size_t>(stop - begin);
  return rank;
}

}  // namespace

RankRange parse_rank_range(std::string_view text, int num_ranks) {
  std::size_t at = 0;
  RankRange range;
  range.first = range.last = read_rank(text, at, num_ranks);
  if (at < text.size() && text[at] == '-') {
    const std::size_t last_at = ++at;
    range.last = read_rank(text, at, num_ranks);
    if (range.last < range.first)
      fail(text, last_at, fmt::format("the last rank, {}, stands in front of the first, {}", range.last, range.first));
  }
  if (at < text.size()) fail(text, at, fmt::format("expected the end or `-`, found `{}`", text[at]));
  return range;
}

}  // namespace meshmul
