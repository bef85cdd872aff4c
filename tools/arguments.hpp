#pragma once
// Reads the command line with CLI11, and says what is wrong with it in the words of this project.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace meshmul::cli {

/// Parses the arguments after the program's name into the options of `app` and its verbs. Throws Error(kInvalidArgument)
/// that names what was found, with a suggestion for a verb or an option that is spelt almost right; CLI::CallForHelp and
/// CLI::CallForVersion when those were asked for.
void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments);

/// An option that takes one value and may be given once.
CLI::Option* add_value(CLI::App& app, const std::string& name, std::string& value, const std::string& help,
                       const std::string& value_name);

}  // namespace meshmul::cli
