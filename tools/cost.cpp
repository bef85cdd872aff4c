// `meshmul cost`: what an array takes on its devices; what a collective, a statement or written steps cost; when other
// steps cost less.

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <sstream>
#include <string>

#include "arguments.hpp"
#include "cost_array.hpp"
#include "cost_comparison.hpp"
#include "cost_way.hpp"
#include "meshmul/error.hpp"
#include "program_file.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul cost 'bf16 A[I=1024_X, J=4096_Y]' --mesh X=4,Y=4,Z=4 --hardware v4p --device 2\n"
    "  meshmul cost 'AllGather_X(bf16 A[I=1024_X, J=4096_Y])' --mesh X=4,Y=4,Z=4 --hardware v4p\n"
    "  meshmul cost 'AllGather_X(bf16 Y[D=8192_X, F=32768]); X[B=128, D] * Y[D, F] -> Z[B, F]' --mesh X=4 \\\n"
    "    --hardware v5p --overlap --solve B --against \\\n"
    "    'bf16 X[B=128, D=8192_X] * Y[D_X, F=32768] -> Z[B, F]{U_X}; AllReduce_X(Z[B, F]{U_X})'\n\n"
    "Steps between semicolons are priced as they stand; docs/cost-model.md has the formulas. --solve finds at which\n"
    "size of an index the steps of --against become the faster ones; without --against, at which size the products\n"
    "begin to take longer than the moves.";

int read_device(const std::string& text, const Mesh& mesh) {
  int device = -1;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), device);
  if (status != std::errc() || end != text.data() + text.size() || device < 0 || device >= mesh.num_devices())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--device is {}; the mesh has the devices 0 to {}", text, mesh.num_devices() - 1));
  return device;
}

CostQuestion read_question(const CostOptions& options, bool hardware_given) {
  CostQuestion question;
  question.mesh = read_mesh(options.statement);
  question.hardware = find_hardware(options.statement.hardware);
  question.hardware_given = hardware_given;
  question.plan = read_model(options.statement.model, question.mesh, question.hardware);
  question.plan.overlapped = options.overlap;
  question.json = options.statement.json;
  if (!options.device.empty()) question.device = read_device(options.device, question.mesh);
  return question;
}

bool is_array(const std::string& text) { return text.find_first_of("(>*;") == std::string::npos; }

/// Several steps, or one that has to be a slice. No array has the dtype slice.
bool is_written_as_steps(const std::string& text) {
  if (text.find(';') != std::string::npos) return true;
  std::istringstream words(text);
  std::string first, second;
  words >> first >> second;
  return first == "slice" && !second.empty() && second.front() != '[';
}

/// The steps of `text`: those written, or the single one that a statement is; nothing for a statement that takes a plan.
std::optional<Way> read_way(const std::string& text, const Mesh& mesh) {
  if (is_written_as_steps(text)) return parse_way(text, mesh);
  return to_way(parse_statement(text, mesh), mesh);
}

Answer array_answer(const std::string& text, const CostQuestion& question) {
  const ArrayType type = parse_array(text, question.mesh);
  check_sizes(Reshard{type, type});
  return {array_cost(type, question)};
}

Answer plan_answer(const std::string& text, const CostQuestion& question) {
  const Statement statement = parse_statement(text, question.mesh);
  check_sizes(statement);
  PlanOptions options = question.plan;
  options.max_rejected = 0;
  const Plan chosen = plan(statement, question.mesh, question.hardware, options);
  return {question.json ? plan_json(chosen) : to_string(chosen)};
}

Answer comparison_answer(Way first, Way second, const CostOptions& options, const CostQuestion& question) {
  CostComparison comparison{cost_of(first, question), cost_of(second, question), {}};
  if (!options.solve.empty())
    comparison.crossover =
        crossover(first, second, parse_unknown(options.solve), question.mesh, question.hardware, question.plan);
  return {question.json ? to_text(as_json(comparison, question)) : as_text(comparison, question)};
}

Answer way_answer(const Way& way, const CostOptions& options, const CostQuestion& question) {
  const WayCost cost = cost_of(way, question);
  std::optional<Crossover> turn;
  if (!options.solve.empty())
    turn = balance(way, parse_unknown(options.solve), question.mesh, question.hardware, question.plan);
  if (!question.json) return {as_text(cost, question) + (turn ? balance_text(*turn) : "")};
  Json json = as_json(cost, question);
  if (turn) json["balance"] = as_json(*turn);
  return {to_text(json)};
}

/// Both ways of a comparison have to be written as steps.
Way require_way(const std::string& text, const Mesh& mesh) {
  if (auto way = read_way(text, mesh)) return std::move(*way);
  return parse_way(text, mesh);  // says what is missing
}

Answer answer(const CostOptions& options, bool hardware_given) {
  const std::string& text = options.statement.statement;
  refuse_program_file(text, "cost");
  const CostQuestion question = read_question(options, hardware_given);
  const bool compares = !options.against.empty() || !options.solve.empty();
  if (is_array(text) && !compares) return array_answer(text, question);
  if (!options.against.empty())
    return comparison_answer(require_way(text, question.mesh), require_way(options.against, question.mesh), options,
                             question);
  if (!options.solve.empty()) return way_answer(require_way(text, question.mesh), options, question);
  const std::optional<Way> way = read_way(text, question.mesh);
  return way ? way_answer(*way, options, question) : plan_answer(text, question);
}

}  // namespace

Verb add_cost(CLI::App& app) {
  const auto options = std::make_shared<CostOptions>();
  CLI::App* verb = app.add_subcommand("cost", "Say what an array takes on its devices, or what steps cost");
  add_statement(*verb, options->statement,
                "An array, a collective, steps between ';', or a statement; with every size");
  add_value(*verb, "--device", options->device, "Say which indices this device has", "NUMBER");
  add_value(*verb, "--against", options->against, "Other steps to compare with", "STEPS");
  add_value(*verb, "--solve", options->solve, "Find the size at which the faster side changes", "INDEX[=LOW..HIGH]");
  verb->add_flag("--overlap", options->overlap, "What counts is max(moves, products), not their sum");
  verb->footer(kExamples);
  const CLI::Option* hardware = verb->get_option("--hardware");
  return {verb, [options, hardware] { return answer(*options, hardware->count() > 0); }};
}

}  // namespace meshmul::cli
