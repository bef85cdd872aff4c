#pragma once
// `meshmul plan FILE.mm`: plans a whole program.

#include <string_view>

#include "plan_options.hpp"
#include "verb.hpp"

namespace meshmul::cli {

/// Whether what stands in the place of a statement is the path of a program.
bool is_program_file(std::string_view argument);

/// Throws Error(kInvalidArgument) if it is: `verb` takes statements alone.
void refuse_program_file(std::string_view argument, std::string_view verb);

/// The statement in `plan_options` is the path. Errors in the text of the program name file, line and column.
Answer plan_program(const PlanVerbOptions& plan_options);

}  // namespace meshmul::cli
