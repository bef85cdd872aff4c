#include "cost_way.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/amounts.hpp"
#include "base/count_json.hpp"
#include "cost_array.hpp"
#include "meshmul/figures.hpp"
#include "plan/report/plan_facts.hpp"
#include "plan/report/setting.hpp"
#include "plan/report/step_json.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul::cli {
namespace {

/// Less than this share of a difference is rounding.
constexpr double kCheaper = 1 - 1e-9;

/// The time of all products together that arithmetic takes, and their FLOPs.
StepCost arithmetic(const std::vector<Step>& steps) {
  StepCost sum;
  for (const Step& step : steps)
    if (const auto* product = std::get_if<LocalProduct>(&step)) {
      sum.compute_seconds += product->cost.compute_seconds;
      sum.memory_seconds += product->cost.memory_seconds;
      sum.flops += product->cost.flops;
    }
  return sum;
}

/// The indices that a device multiplies, each once.
std::vector<HeldIndex> held_indices(const LocalProduct& product, const Mesh& mesh, int device) {
  std::vector<HeldIndex> held = cli::held_indices(product.a, mesh, device);
  for (HeldIndex& of_b : cli::held_indices(product.b, mesh, device)) {
    const auto same = [&](const HeldIndex& other) { return other.index == of_b.index; };
    if (std::none_of(held.begin(), held.end(), same)) held.push_back(std::move(of_b));
  }
  return held;
}

std::vector<HeldIndex> held_indices(const Step& step, const Mesh& mesh, int device) {
  if (const auto* product = std::get_if<LocalProduct>(&step)) return held_indices(*product, mesh, device);
  return cli::held_indices(std::get<Move>(step).to, mesh, device);
}

Dtype dtype_of(const Way& way) { return inputs(way).front()->dtype; }

std::optional<Statement> backward(const Way& way, const Mesh& mesh) {
  const auto* collective = way.steps.size() == 1 ? std::get_if<Collective>(&way.steps.front()) : nullptr;
  return collective == nullptr ? std::nullopt : std::optional(transposed(*collective, mesh));
}

/// The lines about one collective: what its links carry, in which pieces.
std::string collective_text(const Move& move, const CostQuestion& question) {
  const StepCost& cost = move.cost;
  if (cost.link_bytes == 0) return "";
  std::string text =
      fmt::format("{}\n  links     {} over the busiest one, {}; {:g} {}, {}\n", step_label(move, question.mesh),
                  format_amount(cost.link_bytes, "B"), format_seconds(cost.byte_seconds), cost.hops,
                  cost.hops == 1 ? "hop" : "hops", format_seconds(cost.hop_seconds));
  if (const auto chunk = chunk_figures(move, question.mesh, question.hardware))
    text += fmt::format("  chunks    of {}, {} a hop; {:.4g} over the busiest link, {:.4g} sent by each device\n",
                        format_amount(chunk->bytes, "B"), format_seconds(chunk->seconds), chunk->hops_per_link,
                        chunk->hops_per_device);
  return text;
}

std::string chip_text(Dtype dtype, const Hardware& hardware) {
  const ChipFigures chip = chip_figures(hardware, dtype);
  return fmt::format(
      "{}: {} of {}, {:.4g} FLOP for each byte along one axis, {:.4g} for each of memory; hops carry up to {} for "
      "free\n",
      hardware.name, format_amount(chip.flops_per_second, "FLOP/s"), name(dtype), chip.network_intensity,
      chip.memory_intensity, format_amount(chip.latency_bytes, "B"));
}

Json chip_json(Dtype dtype, const Hardware& hardware) {
  const ChipFigures chip = chip_figures(hardware, dtype);
  return {{"dtype", name(dtype)},
          {"flops_per_second", chip.flops_per_second},
          {"axis_bytes_per_second", chip.axis_bytes_per_second},
          {"network_intensity", chip.network_intensity},
          {"memory_intensity", chip.memory_intensity},
          {"latency_bytes", count_json(chip.latency_bytes)}};
}

Json step_json(const Step& step, const CostQuestion& question) {
  Json json = to_json(step, question.mesh);
  json.erase("operand");
  if (const auto* move = std::get_if<Move>(&step))
    if (const auto chunk = chunk_figures(*move, question.mesh, question.hardware))
      json["chunk"] = {{"bytes", count_json(chunk->bytes)},
                       {"seconds", chunk->seconds},
                       {"hops_per_link", count_json(chunk->hops_per_link)},
                       {"hops_per_device", count_json(chunk->hops_per_device)}};
  if (question.device) json["held"] = as_json(held_indices(step, question.mesh, *question.device));
  return json;
}

double seconds(const Plan& plan, const CostQuestion& question) {
  return question.plan.overlapped ? plan.seconds_overlapped : plan.seconds_sequential;
}

/// A way that takes more than the chip has may be asked about all the same; what is cheaper takes no more than that.
std::optional<std::int64_t> memory_of_cheaper(const PricedWay& priced, const Hardware& hardware) {
  const std::optional<std::int64_t> chip = hardware.chip.memory_bytes;
  return chip ? std::optional(std::max(*chip, priced.peak_bytes)) : std::nullopt;
}

bool fits(const PricedWay& priced, const Hardware& hardware) {
  return !hardware.chip.memory_bytes || priced.peak_bytes <= *hardware.chip.memory_bytes;
}

}  // namespace

Setting setting_of(const PricedWay& priced, const CostQuestion& question) {
  return {question.mesh, question.hardware.name, question.plan.cost, priced.slice, priced.mapping};
}

double seconds(const PricedWay& priced, const CostQuestion& question) {
  return question.plan.overlapped ? priced.seconds_overlapped : priced.seconds_sequential;
}

WayCost cost_of(Way way, const CostQuestion& question) {
  WayCost cost{std::move(way), {}, {}};
  cost.priced = price_way(cost.way, question.mesh, question.hardware, question.plan);
  const std::optional<Statement> statement = to_statement(cost.way);
  if (!statement) return cost;
  PlanOptions options = question.plan;
  options.max_rejected = 0;
  options.memory_bytes = memory_of_cheaper(cost.priced, question.hardware);
  Plan found = plan(*statement, question.mesh, question.hardware, options);
  if (seconds(found, question) < seconds(cost.priced, question) * kCheaper) cost.cheaper = std::move(found);
  return cost;
}

std::string steps_text(const WayCost& cost, const CostQuestion& question) {
  const PricedWay& priced = cost.priced;
  std::vector<Row> rows;
  for (const Step& step : priced.steps) rows.push_back(step_row(step, question.mesh));
  std::string text = fmt::format("{}\n\n{}\n", setting_sentence(setting_of(priced, question)), text_table(rows));
  for (const std::string& sentence : total_sentences(priced)) text += sentence + "\n";
  if (!fits(priced, question.hardware))
    text += fmt::format("more than the memory of {}, {}\n", question.hardware.name,
                        format_amount(static_cast<double>(*question.hardware.chip.memory_bytes), "B"));
  return text;
}

std::string as_text(const WayCost& cost, const CostQuestion& question) {
  const Mesh& mesh = question.mesh;
  std::string text = fmt::format("{}\n{}\n", to_string(cost.way, mesh), steps_text(cost, question));
  for (const Step& step : cost.priced.steps) {
    if (const auto* move = std::get_if<Move>(&step)) text += collective_text(*move, question);
    if (question.device)
      text += fmt::format("device {} has {} of {}\n", *question.device,
                          as_text(held_indices(step, mesh, *question.device)), step_label(step, mesh));
  }
  text += chip_text(dtype_of(cost.way), question.hardware);
  if (const auto back = backward(cost.way, mesh)) text += fmt::format("backward: {}\n", to_string(*back, mesh));
  if (cost.cheaper)
    text += fmt::format("cheaper: {}, {}\n  {}\n", format_seconds(seconds(*cost.cheaper, question)),
                        step_labels(cost.cheaper->steps, mesh), to_string(way_of(cost.cheaper->steps, mesh), mesh));
  return text;
}

Json as_json(const WayCost& cost, const CostQuestion& question) {
  const Mesh& mesh = question.mesh;
  const PricedWay& priced = cost.priced;
  const StepCost products = arithmetic(priced.steps);
  Json json{{"way", to_string(cost.way, mesh)}};
  json.update(setting_json(setting_of(priced, question)));
  json.update({{"steps", Json::array()},
               {"seconds_sequential", priced.seconds_sequential},
               {"seconds_overlapped", priced.seconds_overlapped},
               {"move_seconds", priced.move_seconds},
               {"product_seconds", priced.product_seconds},
               {"compute_seconds", products.compute_seconds},
               {"memory_seconds", products.memory_seconds},
               {"flops", count_json(products.flops)},
               {"peak_bytes", priced.peak_bytes},
               {"fits", fits(priced, question.hardware)},
               {"chip", chip_json(dtype_of(cost.way), question.hardware)}});
  if (priced.on_chip) json["on_chip"] = to_json(*priced.on_chip);
  for (const Step& step : priced.steps) json["steps"].push_back(step_json(step, question));
  if (const auto back = backward(cost.way, mesh)) json["backward"] = to_string(*back, mesh);
  if (cost.cheaper)
    json["cheaper"] = {{"way", to_string(way_of(cost.cheaper->steps, mesh), mesh)},
                       {"seconds", seconds(*cost.cheaper, question)},
                       {"peak_bytes", cost.cheaper->peak_bytes}};
  return json;
}

}  // namespace meshmul::cli
