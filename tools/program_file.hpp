#pragma once
// The file of a program, and errors in it.

#include <string>
#include <string_view>
#include <utility>

#include "meshmul/error.hpp"
#include "read_text.hpp"

namespace meshmul::cli {

/// Whether what stands in the place of a statement is the path of a program.
bool is_program_file(std::string_view argument);

/// Throws Error(kInvalidArgument) if it is: `verb` takes statements alone.
void refuse_program_file(std::string_view argument, std::string_view verb);

/// The text of a program. Throws as `read_text` does.
std::string read_program(const std::string& path);

/// What `work` returns. Its errors in `text`, which was read from `path`, get the name of the file.
template <class Work>
auto placed_in_file(const std::string& path, const std::string& text, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    if (error.place() && error.place()->text == text) throw in_file(error, path);
    throw;
  }
}

}  // namespace meshmul::cli
