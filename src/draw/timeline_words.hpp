#pragma once
// How figures of a timeline are called and rounded, on the page and in what the command line prints.

#include <cstdint>
#include <string>
#include <string_view>

#include "meshmul/timeline.hpp"

namespace meshmul::drawing {

/// `357.5 us`, as `format_seconds` has it. The scripts of the page do the same (format.js).
std::string duration_text(std::int64_t ps);

/// `65.0 %`; of nothing 0.
std::string share_text(std::int64_t part_ps, std::int64_t whole_ps);

/// What the time of a step of the critical path goes into: `bytes on links`.
std::string_view words(Blame blame);

/// Time in which a rank waits, or bytes of it are under way, and it computes nothing.
inline constexpr std::string_view kExposedWords = "communication exposed";

}  // namespace meshmul::drawing
