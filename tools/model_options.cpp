#include "model_options.hpp"

#include <vector>

#include "arguments.hpp"
#include "base/option_values.hpp"
#include "meshmul/cost_model.hpp"
#include "meshmul/topology.hpp"

namespace meshmul::cli {
namespace {

constexpr TopologyRule kTopologies[] = {TopologyRule::kSlice, TopologyRule::kWrap, TopologyRule::kLine};
constexpr CountRule kCounts[] = {CountRule::kLimit, CountRule::kFinite, CountRule::kWholeChunk};
constexpr LatencyRule kLatencies[] = {LatencyRule::kMax, LatencyRule::kSum, LatencyRule::kNone};

/// Leaves `setting` as it is where no `text` was given.
template <class Rules, class Rule>
void override_rule(const std::string& text, const std::string& option, const Rules& rules, Rule& setting) {
  if (text.empty()) return;
  std::vector<std::string> names;
  for (const Rule rule : rules) names.emplace_back(name(rule));
  setting = rules[choose(text, option, names)];
}

CostSettings read_settings(const ModelOptions& options) {
  std::vector<std::string> models;
  for (const std::string_view model : cost_model_names()) models.emplace_back(model);
  CostSettings settings = *find_cost_model(models[choose(options.model, "--model", models)]);
  override_rule(options.topology, "--topology", kTopologies, settings.topology);
  override_rule(options.count, "--count", kCounts, settings.count);
  override_rule(options.latency, "--latency", kLatencies, settings.latency);
  if (options.one_way) settings.both_ways = false;
  if (options.in_network_reduction) settings.in_network_reduction = true;
  return settings;
}

}  // namespace

void add_model(CLI::App& verb, ModelOptions& options) {
  add_value(verb, "--model", options.model, "What the cost model counts: exact, book, measured", "NAME")
      ->capture_default_str();
  add_value(verb, "--topology", options.topology, "Axes of a torus are rings: slice, wrap, line", "NAME");
  add_value(verb, "--count", options.count, "Devices that share the work: limit, finite, whole-chunk", "NAME");
  add_value(verb, "--latency", options.latency, "How hops count beside bytes: max, sum, none", "NAME");
  verb.add_flag("--one-way", options.one_way, "Rings send in one direction only");
  verb.add_flag("--in-network-reduction", options.in_network_reduction, "Switches add up partial sums");
  add_value(verb, "--map", options.map, "How the mesh lies on the axes of the slice; default: the fastest",
            "X=0+1,Y=2");
}

PlanOptions read_model(const ModelOptions& options, const Mesh& mesh, const Hardware& hardware) {
  PlanOptions plan;
  plan.cost = read_settings(options);
  if (!options.map.empty()) plan.mapping = parse_mapping(options.map, mesh, hardware, plan.cost.topology);
  return plan;
}

}  // namespace meshmul::cli
