#pragma once
// The times of the ops of a run, measured beside predicted, row by row.

#include <cstdint>
#include <string>
#include <vector>

#include "json.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul::cli {

/// What the ops of one kind, on all ranks together, take.
struct KindTimes {
  SpanKind kind = SpanKind::kProduct;
  std::int64_t ops = 0;
  std::int64_t predicted_ps = 0;
  std::int64_t measured_ps = 0;
};

struct OpTimesRow {
  std::string lane;
  std::string op;  ///< as it stands in the text form
  Span predicted, measured;
};

struct TimeComparison {
  std::int64_t predicted_ps = 0;  ///< of the whole run
  std::int64_t measured_ps = 0;
  std::vector<KindTimes> kinds;  ///< those that there are
  std::vector<OpTimesRow> ops;   ///< in the order of the schedule
};

/// Both are timelines of `schedule`.
TimeComparison compare_times(const Schedule& schedule, const Timeline& predicted, const Timeline& measured);

/// A table of the whole run and of the kinds.
std::string as_text(const TimeComparison& times);
/// The same, and every op.
Json as_json(const TimeComparison& times);

}  // namespace meshmul::cli
