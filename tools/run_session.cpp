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
  if (task.check) result.check = task.check(*session, progress);
  return result;
}

void look_at_times(const RunOptions& options, const Schedule& schedule, const Plan* plan, const Timeline& predicted,
                   RunResult& result) {
  if (wants_pictures(options.pictures))
    write_pictures(options.pictures,
                   {.plan = plan, .schedule = &schedule, .predicted = &predicted, .measured = &*result.timeline});
  if (options.timeline) result.times = compare_times(schedule, predicted, *result.timeline);
}

Answer answer_of(const RunOptions& options, const RunResult& result) {
  return {options.statement.json ? as_json(result) : as_text(result), !result.check || result.check->ok};
}

}  // namespace meshmul::cli
