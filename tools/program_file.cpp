#include "program_file.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace meshmul::cli {
namespace {

/// Far more than a program has lines for.
constexpr std::size_t kLargestProgram = 10'000'000;

}  // namespace

bool is_program_file(std::string_view argument) { return argument.ends_with(".mm"); }

void refuse_program_file(std::string_view argument, std::string_view verb) {
  if (is_program_file(argument))
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "{0} is a program, which meshmul can plan, simulate and run: meshmul run {0}; {1} takes a statement",
            argument, verb));
}

std::string read_program(const std::string& path) { return read_text(path, kLargestProgram); }

}  // namespace meshmul::cli
