#pragma once
// Pictures of plans and timelines: a trace for Perfetto or Chrome, and one HTML page that needs no network.
// docs/pictures.md says what they show.

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "meshmul/plan.hpp"
#include "meshmul/program_plan.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul {

/// From `first` to `last`, both counted in.
struct RankRange {
  int first = 0;
  int last = 0;

  bool contains(int rank) const { return first <= rank && rank <= last; }
  int size() const { return last - first + 1; }
  bool operator==(const RankRange&) const = default;
};

/// Reads `0-7` or `3`. Throws Error(kInvalidArgument) with the place of what is wrong: the text, a last rank in front of the
/// first, or a rank that a schedule of `num_ranks` ranks does not have.
RankRange parse_rank_range(std::string_view text, int num_ranks);

/// What is drawn. Whatever is null is left out; what is given belongs together and outlives the call. Timelines need their
/// schedule.
struct Drawing {
  const Plan* plan = nullptr;
  const ProgramPlan* program_plan = nullptr;  ///< of a program; `plan` is null then
  const Schedule* schedule = nullptr;
  const Timeline* predicted = nullptr;
  const Timeline* measured = nullptr;
  std::optional<RankRange> ranks = {};  ///< default: all
  std::string_view note = {};           ///< a sentence that says what this is, if it is not all; outlives the call too
};

/// The timelines in the Trace Event Format (JSON), which ui.perfetto.dev and chrome://tracing open: a process for each rank, a
/// thread for each lane; puts, gets and signals under way on further threads of their lane; links and the critical path
/// as processes of their own; arrows from what raises a signal to the wait that it lets pass. With two timelines each has
/// its own processes. Times are in microseconds, rounded down to whole nanoseconds, which is what Perfetto keeps.
/// Throws Error(kInvalidArgument) without a schedule or timeline, for a timeline of another schedule, and for ranks that
/// there are not.
std::string trace_json(const Drawing& drawing);
/// The same, piece by piece: a long trace need not fit into memory.
void write_trace(const Drawing& drawing, std::ostream& out);

/// One page of HTML with everything in it: it opens from disk, and its content security policy lets it load nothing.
/// Shows how each array is cut before and after each step; steps and rejected plans as tables; timelines by rank and lane;
/// chunks as they move over the mesh.
/// Throws as `trace_json` does, but needs no timeline: a plan or a schedule is enough.
std::string page_html(const Drawing& drawing);

/// How long the trace or page will be, to a quarter, found without making it: whoever is about to write a huge one can
/// first say so, and name fewer ranks. Throws as they do.
std::int64_t estimated_trace_bytes(const Drawing& drawing);
std::int64_t estimated_page_bytes(const Drawing& drawing);

}  // namespace meshmul
