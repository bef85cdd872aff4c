#include "draw/trace_events.hpp"

#include <fmt/format.h>

namespace meshmul::drawing {
namespace {

constexpr std::size_t kBlockBytes = 1 << 20;

}  // namespace

TraceEvents::TraceEvents(std::ostream& out, std::string_view note) : out_(out) {
  json_.begin_object().key("displayTimeUnit").value("ns");
  if (!note.empty()) json_.key("otherData").begin_object().key("note").value(note).end_object();
  json_.key("traceEvents").begin_array();
}

void TraceEvents::finish() {
  json_.line_break();
  json_.end_array().end_object().line_break();
  out_ << json_.text();
  json_.text().clear();
}

void TraceEvents::name_process(std::int32_t process, std::string_view name) {
  metadata({process, 0}, "process_name", name, "process_sort_index", process);
}

void TraceEvents::name_thread(Track track, std::string_view name, std::int32_t position) {
  metadata(track, "thread_name", name, "thread_sort_index", position);
}

void TraceEvents::slice(Track track, std::string_view name, std::int64_t start_ns, std::int64_t end_ns,
                        const SliceArgs& args) {
  begin('X', track, name);
  time("ts", start_ns);
  time("dur", end_ns - start_ns);
  json_.key("args").begin_object();
  if (!args.op.empty()) json_.key("op").value(args.op);
  if (args.line != 0) json_.key("line").value(args.line);
  if (args.bytes != 0) json_.key("bytes").value(args.bytes);
  json_.end_object();
  end();
}

void TraceEvents::flow(std::int64_t id, std::string_view name, Track from, std::int64_t from_ns, Track to,
                       std::int64_t to_ns) {
  begin('s', from, name);
  time("ts", from_ns);
  json_.key("cat").value("signal").key("id").value(id);
  end();
  begin('f', to, name);
  time("ts", to_ns);
  json_.key("cat").value("signal").key("id").value(id).key("bp").value("e");  // the slice around it, not the next one
  end();
}

void TraceEvents::begin(char phase, Track track, std::string_view name) {
  json_.line_break();
  json_.begin_object().key("ph").value(std::string_view(&phase, 1)).key("name").value(name);
  json_.key("pid").value(track.process).key("tid").value(track.thread);
}

void TraceEvents::end() {
  json_.end_object();
  if (json_.text().size() < kBlockBytes) return;
  out_ << json_.text();
  json_.text().clear();
}

void TraceEvents::time(std::string_view key, std::int64_t ns) {
  constexpr std::int64_t kNsPerUs = 1000;
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "{}.{:03}", ns / kNsPerUs, ns % kNsPerUs);
  json_.key(key).raw({text.data(), text.size()});
}

void TraceEvents::metadata(Track track, std::string_view what, std::string_view name, std::string_view order,
                           std::int64_t position) {
  begin('M', track, what);
  json_.key("args").begin_object().key("name").value(name).end_object();
  end();
  begin('M', track, order);
  json_.key("args").begin_object().key("sort_index").value(position).end_object();
  end();
}

}  // namespace meshmul::drawing
