#include "simulate_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/amounts.hpp"
#include "draw/timeline_words.hpp"
#include "meshmul/error.hpp"
#include "plan/report/setting.hpp"
#include "plan/report/table.hpp"
#include "simulate_fastest.hpp"

namespace meshmul::cli {
namespace {

double bytes_of(const ArrayType& type) {
  auto bytes = static_cast<double>(size_bytes(type.dtype));
  for (const Dim& dim : type.dims) bytes *= static_cast<double>(dim.size);
  return bytes;
}

/// The number of the fastest algorithm, of equal ones the first; nothing if the row is empty.
std::optional<std::size_t> fastest(const ComparisonRow& row) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < row.makespans_ps.size(); ++i)
    if (row.makespans_ps[i] && (!best || *row.makespans_ps[i] < *row.makespans_ps[*best])) best = i;
  return best;
}

Row text_row(const ComparisonRow& row) {
  Row cells{std::to_string(row.size), format_amount(row.output_bytes, "B")};
  for (std::size_t i = 0; i < row.makespans_ps.size(); ++i)
    cells.push_back(
        !row.makespans_ps[i] ? "-" : drawing::duration_text(*row.makespans_ps[i]) + (i == fastest(row) ? " *" : ""));
  return cells;
}

/// A row at which another algorithm is the fastest than in the row before it; of the first row, the fastest there.
struct Change {
  std::optional<std::int64_t> below;  ///< the size of the row before it
  std::int64_t from = 0;
  std::size_t algorithm = 0;
};

/// Of the rows that are not empty.
std::vector<Change> changes(const SimulateComparison& comparison) {
  std::vector<Change> changes;
  const ComparisonRow* before = nullptr;
  for (const ComparisonRow& row : comparison.rows) {
    const std::optional<std::size_t> now = fastest(row);
    if (!now) continue;
    if (before == nullptr || now != fastest(*before))
      changes.push_back({before == nullptr ? std::nullopt : std::optional(before->size), row.size, *now});
    before = &row;
  }
  return changes;
}

Setting setting_of(const SimulateComparison& comparison) {
  return {comparison.mesh, comparison.hardware, comparison.cost, comparison.placement.slice,
          comparison.placement.mapping};
}

/// Fills the table cell by cell, and remembers where on the hardware they were the fastest.
class Comparer {
 public:
  Comparer(SimulateComparison& comparison, const PlanOptions& planning, const SimulateTarget& target)
      : comparison_(comparison), planning_(planning), target_(target) {}

  void add_row(const Statement& sized, std::int64_t size) {
    ComparisonRow row{size, bytes_of(output(sized)), {}};
    row.makespans_ps.resize(comparison_.algorithms.size());
    try {
      const std::vector<Plan> plans = plans_to_try(sized, comparison_.mesh, target_.hardware, planning_);
      for (std::size_t i = 0; i < row.makespans_ps.size(); ++i)
        row.makespans_ps[i] = fastest_of(plans, comparison_.algorithms[i]);
    } catch (const Error& error) {
      leave_empty(error);
    }
    comparison_.rows.push_back(std::move(row));
  }

  /// What the first empty cell lacked.
  const std::optional<Error>& first_error() const { return first_error_; }

 private:
  std::optional<std::int64_t> fastest_of(const std::vector<Plan>& plans, Algorithm algorithm) {
    std::optional<std::int64_t> fastest_ps;
    const Plan* where = nullptr;
    for (const Plan& plan : plans) {
      const std::optional<std::int64_t> found_ps = makespan_of(plan, algorithm);
      if (!found_ps || (fastest_ps && *found_ps >= *fastest_ps)) continue;
      fastest_ps = found_ps;
      where = &plan;
    }
    if (where != nullptr) note_placement(*where);
    return fastest_ps;
  }

  std::optional<std::int64_t> makespan_of(const Plan& plan, Algorithm algorithm) {
    try {
      const Simulated simulated = simulate_by({algorithm, {}}, plan, target_);
      require_memory(simulated.schedule);
      comparison_.group = simulated.group ? group_phrase(*simulated.group) : "";
      return simulated.timeline.makespan_ps;
    } catch (const Error& error) {
      leave_empty(error);
      return std::nullopt;
    }
  }

  void require_memory(const Schedule& schedule) const {
    const std::int64_t bytes = bytes_per_rank(schedule);
    if (planning_.memory_bytes && bytes > *planning_.memory_bytes)
      throw Error(ErrorCode::kInvalidArgument, fmt::format("the schedule takes {} bytes a rank; expected at most {}",
                                                           bytes, *planning_.memory_bytes));
  }

  void leave_empty(const Error& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw error;
    if (!first_error_) first_error_ = error;
  }

  void note_placement(const Plan& plan) {
    if (!is_placed_) comparison_.placement = {plan.slice, plan.mapping, {}};
    is_placed_ = true;
    if (!(comparison_.placement.mapping == plan.mapping)) comparison_.placement.mapping = {};
  }

  SimulateComparison& comparison_;
  const PlanOptions& planning_;
  const SimulateTarget& target_;
  std::optional<Error> first_error_;
  bool is_placed_ = false;
};

bool is_full(const ComparisonRow& row) {
  return std::ranges::all_of(row.makespans_ps, [](auto cell) { return !!cell; });
}

}  // namespace

SimulateComparison compare(const Statement& statement, const Mesh& mesh, const Unknown& sizes,
                           const std::vector<Algorithm>& algorithms, const PlanOptions& planning,
                           const SimulateTarget& target) {
  SimulateComparison comparison{
      to_string(statement, mesh), mesh, target.hardware.name, planning.cost, {}, sizes.name, algorithms, {}};
  Comparer comparer(comparison, planning, target);
  for (double size = sizes.low; size <= sizes.high; size *= 2) {
    Statement sized = statement;
    set_size(sized, sizes.name, static_cast<std::int64_t>(size));
    check_sizes(sized);
    comparer.add_row(sized, static_cast<std::int64_t>(size));
  }
  if (std::ranges::none_of(comparison.rows, [](const ComparisonRow& row) { return fastest(row).has_value(); }))
    throw *comparer.first_error();
  if (!std::ranges::all_of(comparison.rows, is_full)) comparison.missing = comparer.first_error()->what();
  return comparison;
}

std::string as_text(const SimulateComparison& comparison) {
  Row head{comparison.index, "output"};
  for (const Algorithm algorithm : comparison.algorithms) head.emplace_back(name(algorithm));
  std::vector<Row> rows{head};
  for (const ComparisonRow& row : comparison.rows) rows.push_back(text_row(row));
  const std::string group = comparison.group.empty() ? "" : fmt::format(", {}", comparison.group);
  std::string text = fmt::format("{}\n{}{}; * is the fastest\n\n{}\n", comparison.subject,
                                 setting_sentence(setting_of(comparison)), group, text_table(rows));
  for (const auto& [below, from, algorithm] : changes(comparison))
    text += below ? fmt::format("{} becomes the fastest between {}={} and {}\n", name(comparison.algorithms[algorithm]),
                                comparison.index, *below, from)
                  : fmt::format("{} is the fastest from {}={} on\n", name(comparison.algorithms[algorithm]),
                                comparison.index, from);
  if (!comparison.missing.empty()) text += fmt::format("- is not to be had; the first: {}\n", comparison.missing);
  return text;
}

Json as_json(const SimulateComparison& comparison) {
  Json json{{"subject", comparison.subject}};
  json.update(setting_json(setting_of(comparison)));
  json["index"] = comparison.index;
  json["rows"] = Json::array();
  json["changes"] = Json::array();
  if (!comparison.group.empty()) json["group"] = comparison.group;
  for (const ComparisonRow& row : comparison.rows) {
    Json seconds = Json::object();
    for (std::size_t i = 0; i < row.makespans_ps.size(); ++i)
      if (row.makespans_ps[i])
        seconds[std::string(name(comparison.algorithms[i]))] = static_cast<double>(*row.makespans_ps[i]) * 1e-12;
    Json of_size{{"size", row.size}, {"output_bytes", row.output_bytes}, {"seconds", std::move(seconds)}};
    if (const auto best = fastest(row)) of_size["fastest"] = name(comparison.algorithms[*best]);
    json["rows"].push_back(std::move(of_size));
  }
  for (const auto& [below, from, algorithm] : changes(comparison))
    if (below)
      json["changes"].push_back(
          {{"above", *below}, {"up_to", from}, {"fastest", name(comparison.algorithms[algorithm])}});
  if (!comparison.missing.empty()) json["missing"] = comparison.missing;
  return json;
}

}  // namespace meshmul::cli
