// Sessions of the C API: a statement on a backend, from its text to its runs.

#include <memory>
#include <string>

#include "c_api/boundary.hpp"
#include "c_api/options.hpp"
#include "c_api/shards.hpp"
#include "execute/registry.hpp"
#include "meshmul/c_api.h"
#include "meshmul/compile.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/tune.hpp"

using namespace meshmul;
using namespace meshmul::c_api;

struct meshmul_session {
  meshmul_session(const Compiled& compiled, const Executor& backend, const ExecuteOptions& options)
      : schedule(compiled.schedule),
        inputs(schedule, schedule.contract.inputs),
        outputs(schedule, schedule.contract.outputs),
        session(backend.open(schedule, options)),
        plan_text(to_string(compiled.plan) + "built " + to_string(compiled.lower) + "\n") {}

  Schedule schedule;
  Shards inputs, outputs;
  std::unique_ptr<Session> session;
  double seconds = 0;  ///< of the last run that went well
  std::string plan_text;
  std::string schedule_text;  ///< once it is asked for: it may be long
};

namespace {

std::unique_ptr<meshmul_session> open_session(const std::string& statement_text, const std::string& mesh_text,
                                              const std::string& backend_name, const std::string& hardware_name,
                                              const meshmul_options& options) {
  const Mesh mesh = mesh_text.empty() ? Mesh() : parse_mesh(mesh_text);
  const Executor& backend = require_executor(backend_name, "backend");
  const ExecuteOptions execute = execute_options(options, backend);
  const CompileOptions compile = compile_options(options);
  const Statement statement = parse_statement(statement_text, mesh);
  check_sizes(statement);
  const Hardware hardware = find_hardware(hardware_name);
  return std::make_unique<meshmul_session>(meshmul::compile(statement, mesh, hardware, backend, compile), backend,
                                           execute);
}

const Shard& shard_of(const meshmul_session& session, const meshmul_shard* given) {
  required(given, "shard");
  if (const Shard* shard = session.inputs.find(given)) return *shard;
  if (const Shard* shard = session.outputs.find(given)) return *shard;
  throw Error(ErrorCode::kInvalidArgument, "the shard belongs to another session");
}

/// Where the shard begins, in its buffer that begins at `buffer`.
void* first_element(const Shard& shard, std::byte* buffer) {
  return buffer == nullptr || shard.is_empty ? nullptr : buffer + shard.offset_bytes;
}

meshmul_status find_shard(const Shards meshmul_session::* shards, meshmul_session* session, const char* array,
                          int32_t rank, const char* whose, const meshmul_shard** shard) {
  return guarded([&] {
    required(shard, "the place for the shard") = nullptr;
    *shard = &(required(session, "session").*shards).find(required_text(array, "array"), rank, whose);
  });
}

/// What `make` returns, or null if it throws.
template <class Make>
const char* text_of(Make&& make) {
  const char* text = nullptr;
  (void)guarded([&] { text = make(); });
  return text;
}

}  // namespace

meshmul_status meshmul_open(const char* statement, const char* mesh, const char* backend, const char* hardware,
                            const meshmul_options* options, meshmul_session** session) {
  return guarded([&] {
    required(session, "the place for the session") = nullptr;
    *session = open_session(required_text(statement, "statement"), required_text(mesh, "mesh"),
                            required_text(backend, "backend"), required_text(hardware, "hardware"),
                            options == nullptr ? meshmul_options() : *options)
                   .release();
  });
}

void meshmul_close(meshmul_session* session) { delete session; }

int32_t meshmul_num_ranks(const meshmul_session* session) {
  return session == nullptr ? 0 : session->schedule.num_ranks();
}

meshmul_status meshmul_input_shard(meshmul_session* session, const char* array, int32_t rank,
                                   const meshmul_shard** shard) {
  return find_shard(&meshmul_session::inputs, session, array, rank, "input", shard);
}

meshmul_status meshmul_output_shard(meshmul_session* session, const char* array, int32_t rank,
                                    const meshmul_shard** shard) {
  return find_shard(&meshmul_session::outputs, session, array, rank, "output", shard);
}

meshmul_status meshmul_host_data(meshmul_session* session, const meshmul_shard* shard, void** data) {
  return guarded([&] {
    required(data, "the place for the data") = nullptr;
    const Shard& found = shard_of(required(session, "session"), shard);
    const std::span<std::byte> buffer = session->session->buffer(found.region.rank, found.region.buffer);
    if (buffer.empty() && !found.is_empty)
      throw Error(ErrorCode::kRankFailed, "the session has lost its memory by a failure; reset it");
    *data = first_element(found, buffer.data());
  });
}

meshmul_status meshmul_device_data(meshmul_session* session, const meshmul_shard* shard, void** data) {
  return guarded([&] {
    required(data, "the place for the data") = nullptr;
    const Shard& found = shard_of(required(session, "session"), shard);
    *data = first_element(found, session->session->device_buffer(found.region.rank, found.region.buffer));
  });
}

meshmul_status meshmul_run(meshmul_session* session) {
  return guarded([&] {
    meshmul_session& opened = required(session, "session");
    opened.seconds = opened.session->run().seconds;
  });
}

meshmul_status meshmul_reset(meshmul_session* session) {
  return guarded([&] { required(session, "session").session->reset(); });
}

double meshmul_seconds(const meshmul_session* session) { return session == nullptr ? 0 : session->seconds; }

const char* meshmul_plan_text(meshmul_session* session) {
  return text_of([&] { return required(session, "session").plan_text.c_str(); });
}

const char* meshmul_schedule_text(meshmul_session* session) {
  return text_of([&] {
    std::string& text = required(session, "session").schedule_text;
    if (text.empty()) text = to_string(session->schedule);
    return text.c_str();
  });
}
