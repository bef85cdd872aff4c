#include "run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/amounts.hpp"
#include "json.hpp"
#include "meshmul/tune.hpp"

namespace meshmul::cli {
namespace {

std::int64_t most(const std::vector<std::int64_t>& bytes) {
  return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
}

/// Multiplications and additions of a product, each once; 0 for other statements.
double useful_flops(const Statement& statement) {
  const auto* product = std::get_if<Product>(&statement);
  if (product == nullptr) return 0;
  double flops = 2;
  for (const Dim& dim : product->a.dims) flops *= static_cast<double>(dim.size);
  for (const Dim& dim : product->b.dims)
    if (std::find(product->a.dims.begin(), product->a.dims.end(), dim) == product->a.dims.end())
      flops *= static_cast<double>(dim.size);
  return flops;
}

double flops_per_second(const RunResult& result) {
  const double flops = useful_flops(result.plan.statement);
  return result.measured.seconds > 0 ? flops / result.measured.seconds : 0;
}

/// The plan without the ways that were not taken.
std::string chosen_way(Plan plan) {
  plan.rejected.clear();
  plan.cases.clear();
  return to_string(plan);
}

Json to_json(const Difference& difference) {
  return {{"error", difference.error},
          {"bound", difference.bound},
          {"found", difference.found},
          {"expected", difference.expected},
          {"position", difference.position}};
}

Json to_json(const CheckResult& check) {
  Json json{{"ok", check.ok},
            {"method", check.method},
            {"elements_checked", check.elements_checked},
            {"rows_checked", check.rows_checked}};
  if (check.element) json["element"] = to_json(*check.element);
  if (check.row) json["row"] = to_json(*check.row);
  return json;
}

std::string bytes_text(std::int64_t bytes) { return format_amount(static_cast<double>(bytes), "B"); }

}  // namespace

std::string as_text(const RunResult& result) {
  const RunReport& measured = result.measured;
  std::string text = chosen_way(result.plan) + "\n";
  text += fmt::format("backend   {}, {}\n", result.backend, measured.kernels);
  text += fmt::format("built     {}\n", to_string(result.lower));
  text += fmt::format("time      {}", format_seconds(measured.seconds));
  if (const double rate = flops_per_second(result); rate > 0) text += ", " + format_amount(rate, "FLOP/s");
  text += fmt::format("\nmoved     {} between ranks\n", bytes_text(result.bytes_moved));
  text += fmt::format("memory    {} at most on a rank; the plan says {}\n", bytes_text(most(measured.peak_bytes)),
                      bytes_text(result.plan.peak_bytes));
  if (!result.replicas_agree) text += "replicas  differ in some bits; the output is that of the first\n";
  if (!result.output.empty()) text += fmt::format("output    {}\n", result.output);
  if (result.check)
    text += fmt::format("check     {}: {}\n", result.check->ok ? "passed" : "failed", to_string(*result.check));
  if (result.times) text += as_text(*result.times);
  return text;
}

std::string as_json(const RunResult& result) {
  const RunReport& measured = result.measured;
  Json json{{"plan", Json::parse(plan_json(result.plan))},
            {"backend", result.backend},
            {"way", to_string(result.lower)},
            {"kernels", measured.kernels},
            {"seconds", measured.seconds},
            {"flops_per_second", flops_per_second(result)},
            {"bytes_between_ranks", result.bytes_moved},
            {"peak_bytes", measured.peak_bytes},
            {"replicas_agree", result.replicas_agree}};
  if (!result.output.empty()) json["output"] = result.output;
  if (result.check) json["check"] = to_json(*result.check);
  if (result.times) json["timeline"] = as_json(*result.times);
  return to_text(json);
}

}  // namespace meshmul::cli
