#pragma once
// The events of the Trace Event Format, one a line.

#include <cstdint>
#include <ostream>
#include <string_view>

#include "draw/json_writer.hpp"

namespace meshmul::drawing {

/// A row of the trace. Ids are at least 1, since viewers take 0 for the idle task; no two threads share one.
struct Track {
  std::int32_t process = 1;
  std::int32_t thread = 1;
};

/// What a slice says when it is selected.
struct SliceArgs {
  std::string_view op;     ///< left out if empty
  std::int64_t line = 0;   ///< left out if 0
  std::int64_t bytes = 0;  ///< left out if 0
};

class TraceEvents {
 public:
  /// Ends when `finish` is called. `note` is the member `otherData.note`; left out if empty.
  explicit TraceEvents(std::ostream& out, std::string_view note = {});
  void finish();

  /// Processes and threads stand in the order in which they are named.
  void name_process(std::int32_t process, std::string_view name);
  void name_thread(Track track, std::string_view name, std::int32_t position);
  void slice(Track track, std::string_view name, std::int64_t start_ns, std::int64_t end_ns, const SliceArgs& args);
  /// An arrow between the slices that are open on their tracks at these times.
  void flow(std::int64_t id, std::string_view name, Track from, std::int64_t from_ns, Track to, std::int64_t to_ns);

 private:
  void begin(char phase, Track track, std::string_view name);
  void end();
  void time(std::string_view key, std::int64_t ns);
  void metadata(Track track, std::string_view what, std::string_view name, std::string_view order,
                std::int64_t position);

  std::ostream& out_;
  JsonWriter json_;
};

}  // namespace meshmul::drawing
