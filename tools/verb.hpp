#pragma once
// What a verb of the command line is: it adds its options to a parser, and says what to do once they are read.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace meshmul::cli {

/// What a verb found out: the text for standard output, and whether the answer is yes (exit 0) or no (exit 1). Verbs
/// print nothing themselves, so that nothing is on standard output when one fails halfway.
struct Answer {
  std::string text;
  bool yes = true;
  bool interrupted = false;  ///< by Ctrl-C: it says what was found out until then
};

struct Verb {
  CLI::App* options = nullptr;  ///< belongs to the parser that the verb was added to
  std::function<Answer()> answer;
};

Verb add_plan(CLI::App& app);
Verb add_run(CLI::App& app);
Verb add_cost(CLI::App& app);
Verb add_verify(CLI::App& app);
Verb add_simulate(CLI::App& app);
Verb add_bench(CLI::App& app);
Verb add_hardware(CLI::App& app);
Verb add_calibrate(CLI::App& app);

}  // namespace meshmul::cli
