#include "run_session.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace meshmul::cli {
namespace {

const Output& find(const std::vector<Output>& outputs, const std::string& array) {
  return *std::ranges::find(outputs, array,
                            [](const Output& output) -> const std::string& { return output.type.name; });
}

}  // namespace

void require_writable(const std::vector<OutputFile>& files, const std::vector<Output>& outputs) {
  for (const OutputFile& file : files) require_writable(file.location, find(outputs, file.array).type);
}

RunResult carry_out(const RunOptions& options, const RunTask& task) {
  Progress progress(STDERR_FILENO);
  const Schedule& schedule = task.schedule;
  const auto session = read_backend(options.statement).open(schedule, read_execute_options(options));
  load_inputs(task.inputs, schedule, *session, progress);
  RunResult result;
  result.backend = options.statement.backend;
  result.bytes_moved = bytes_between_ranks(schedule);
  result.outputs = task.files;
  progress.begin("running");
  result.measured = session->run();
  progress.end();
  result.timeline = session->timeline();
  result.replicas_agree = std::ranges::all_of(
      task.outputs, [&](const Output& output) { return replicas_agree(output, schedule, *session); });
  for (const OutputFile& file : task.files)
    save_output(file.location, find(task.outputs, file.array), schedule, *session, progress);
  if (task.check) result.checks = task.check(schedule, *session, progress);
  return result;
}

void look_at_times(const RunOptions& options, Drawing drawing, RunResult& result) {
  drawing.measured = &*result.timeline;
  if (wants_pictures(options.pictures)) write_pictures(options.pictures, drawing);
  if (options.timeline) result.times = compare_times(*drawing.schedule, *drawing.predicted, *drawing.measured);
}

Answer answer_of(const RunOptions& options, const RunResult& result) {
  return {options.statement.json ? as_json(result) : as_text(result), is_right(result)};
}

}  // namespace meshmul::cli
