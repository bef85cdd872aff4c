// The program meshmul: picks the verb, prints its answer, and turns errors into sentences and exit codes.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "meshmul/error.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kDescription = "Multiplies matrices that are sharded over a mesh of devices.";
constexpr const char* kFooter =
    "'meshmul VERB --help' shows the options of a verb, with examples.\n\n"
    "Exit codes: 0 fine; 1 the answer is no (findings, mismatch); 2 the input is wrong;\n"
    "3 a rank or the machine failed; 130 or 143 after Ctrl-C or SIGTERM.";

/// A result that cannot be delivered is a failure, for example on a full disk.
void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written)
    throw Error(ErrorCode::kMachine, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

int run(const std::vector<std::string>& arguments) {
  CLI::App app(kDescription, "meshmul");
  app.set_version_flag("--version", "meshmul " MESHMUL_VERSION);
  app.footer(kFooter);
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.get_formatter()->label("Positionals", "Arguments");
  std::vector<Verb> verbs;
  for (const auto add : {add_plan, add_run, add_cost, add_verify, add_simulate, add_bench, add_calibrate, add_hardware})
    verbs.push_back(add(app));
  for (const Verb& verb : verbs) verb.options->group("Verbs");
  if (arguments.empty()) {
    std::fputs(app.help().c_str(), stderr);
    return kWrongInput;
  }
  try {
    parse_arguments(app, arguments);
  } catch (const CLI::CallForHelp&) {
    print(app.help());  // that of the verb, when one was named
    return kFine;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return kFine;
  }
  for (const Verb& verb : verbs) {
    if (!verb.options->parsed()) continue;
    const Answer answer = verb.answer();
    print(answer.text);
    if (answer.interrupted) return exit_code_of(ErrorCode::kInterrupted, interrupted_by());
    return answer.yes ? kFine : kAnswerIsNo;
  }
  return kWrongInput;
}

/// `, line 4` of a text that has several.
std::string line_of(const TextPlace& place) {
  if (place.text.find('\n') == std::string::npos) return "";
  return fmt::format(", line {}", place.line());
}

/// `meshmul: error: sentence`; where a place is known, its line and the caret stand on lines of their own.
std::string complaint(const Error& error) {
  if (!error.place()) return fmt::format("meshmul: error: {}\n", error.what());
  std::string indented = "  " + error.report();
  for (std::size_t at = 0; (at = indented.find('\n', at)) != std::string::npos; at += 3) indented.insert(at + 1, "  ");
  return fmt::format("meshmul: error{}:\n{}\n", line_of(*error.place()), indented);
}

/// Where nobody can be told, the exit code has to do.
void complain(const std::string& text) { std::fputs(text.c_str(), stderr); }

int run_and_report(const std::vector<std::string>& arguments) {
  try {
    return run(arguments);
  } catch (const Error& error) {
    complain(complaint(error));
    return exit_code_of(error.code(), interrupted_by());
  } catch (const std::bad_alloc&) {
    complain("meshmul: error: out of memory\n");
    return kMachineFailed;
  } catch (const std::exception& error) {
    complain(fmt::format("meshmul: internal error: {}\n", error.what()));
    return kMachineFailed;
  }
}

}  // namespace
}  // namespace meshmul::cli

int main(int argc, char** argv) {
  // A file that grows past the limit of this process is an error of the write, which removes what was begun.
  std::signal(SIGXFSZ, SIG_IGN);
  return meshmul::cli::run_and_report({argv + 1, argv + argc});
}
