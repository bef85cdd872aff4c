#include "draw/timeline_words.hpp"

#include <fmt/format.h>

#include "base/amounts.hpp"

namespace meshmul::drawing {

std::string duration_text(std::int64_t ps) { return format_seconds(static_cast<double>(ps) * 1e-12); }

std::string share_text(std::int64_t part_ps, std::int64_t whole_ps) {
  const double share = whole_ps == 0 ? 0 : static_cast<double>(part_ps) / static_cast<double>(whole_ps);
  return fmt::format("{:.1f} %", 100 * share);
}

std::string_view words(Blame blame) {
  switch (blame) {
    case Blame::kCompute: return "products, copies, additions";
    case Blame::kLink: return "bytes on links";
    case Blame::kLatency: return "hops of bytes";
    case Blame::kCredit: return "hops of signals";
  }
  return {};
}

}  // namespace meshmul::drawing
