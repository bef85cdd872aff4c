// `meshmul verify FILE`: proves a schedule in its text form, or says what is wrong with it.

#include "meshmul/verify.hpp"

#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "base/option_values.hpp"
#include "schedule_file.hpp"
#include "verb.hpp"
#include "verify_report.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul plan 'A[I=8_X, J=4] -> A[I, J]' --mesh X=2 --dump schedule > gather.txt\n"
    "  meshmul verify gather.txt\n"
    "  meshmul verify - --json < gather.txt\n"
    "  meshmul verify gather.txt --memory 16MiB\n\n"
    "docs/schedule-ir.md describes the text form, docs/verify.md the rules. Exits with 1 when there are findings.";

struct VerifyOptions {
  std::string file;
  std::string memory;
  bool json = false;
};

Answer answer(const VerifyOptions& options) {
  const Schedule schedule = read_schedule(options.file);
  meshmul::VerifyOptions rules;
  if (!options.memory.empty()) rules.memory_bytes = parse_bytes(options.memory, "--memory");
  const std::vector<Finding> findings = verify(schedule, rules);
  return {options.json ? as_json(schedule, findings) : as_text(schedule, findings), findings.empty()};
}

}  // namespace

Verb add_verify(CLI::App& app) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb =
      app.add_subcommand("verify", "Prove that a schedule has no deadlock and no race, and adds every term once");
  add_value(*verb, "FILE", options->file, "A schedule in its text form; - for standard input", "")->required();
  add_value(*verb, "--memory", options->memory, "Most memory that the buffers of a rank may take", "BYTES");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
