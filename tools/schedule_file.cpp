#include "schedule_file.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "meshmul/error.hpp"
#include "meshmul/verify.hpp"
#include "read_text.hpp"
#include "schedule/op_count.hpp"

namespace meshmul::cli {
namespace {

constexpr std::size_t kLargestSchedule = 1'000'000'000;  // bytes of text

bool exists(const std::string& path) {
  std::error_code cannot_tell;
  return std::filesystem::exists(path, cannot_tell);
}

}  // namespace

bool is_schedule_file(const std::string& argument) {
  if (argument.empty() || argument == "-" || exists(argument)) return true;
  return argument.find('[') == std::string::npos && argument.find("->") == std::string::npos;
}

Schedule read_schedule(const std::string& path) {
  if (path.empty())
    throw Error(ErrorCode::kInvalidArgument, "the name of the schedule's file is empty; expected FILE, or -");
  const std::string text = read_text(path, kLargestSchedule);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("{} is empty; expected a schedule, which opens with 'meshmul schedule 1'", name_of_text(path)));
  try {
    return parse_schedule(text);
  } catch (const Error& error) {
    if (error.place()) throw in_file(error, path);
    throw;
  }
}

void refuse_statement_options(const StatementOptions& options, std::string_view what_happens) {
  const std::pair<const char*, bool> idle[] = {{"--mesh", !options.mesh.empty()},
                                               {"--algorithm", options.algorithm != "automatic"},
                                               {"--design", !options.overlap.designs.empty()},
                                               {"--chunks", !options.overlap.chunks.empty()},
                                               {"--rows-per-round", !options.overlap.rows.empty()},
                                               {"--slots", !options.overlap.slots.empty()},
                                               {"--copy-bytes", !options.overlap.copy_bytes.empty()},
                                               {"--copy-lanes", !options.overlap.copy_lanes.empty()},
                                               {"--memory", !options.memory.empty()},
                                               {"--wire-dtype", !options.wire_dtype.empty()},
                                               {"--dump", !options.dump.empty()}};
  const std::string& path = options.statement;
  for (const auto& [option, is_given] : idle) {
    if (!is_given) continue;
    if (!path.empty() && path != "-" && !exists(path))
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("there is no file {}, and a statement has dimensions, as in A[I_X, J]", path));
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} is for statements; the schedule {} {}", option, name_of_text(path), what_happens));
  }
}

void note_if_unproven(const Schedule& schedule, const std::string& path) {
  constexpr std::int64_t kQuicklyProven = 100'000;  // ops: a fraction of a second
  const std::string name = name_of_text(path);
  const std::string command = path == "-" ? "meshmul verify -" : "meshmul verify " + path;
  if (const std::int64_t ops = num_ops(schedule); ops > kQuicklyProven) {
    fmt::print(stderr, "meshmul: {} is not proven: {} ops are too many to do so in passing; {} does it\n", name, ops,
               command);
    return;
  }
  const std::size_t findings = verify(schedule).size();
  if (findings > 0)
    fmt::print(stderr, "meshmul: {} is not proven: {} {}, which {} shows\n", name, findings,
               findings == 1 ? "finding" : "findings", command);
}

}  // namespace meshmul::cli
