#include "simulate_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/amounts.hpp"
#include "plan/report/table.hpp"
#include "simulate_fastest.hpp"

namespace meshmul::cli {
namespace {

double bytes_of(const ArrayType& type) {
  auto bytes = static_cast<double>(size_bytes(type.dtype));
  for (const Dim& dim : type.dims) bytes *= static_cast<double>(dim.size);
  return bytes;
}

/// The number of the fastest algorithm; of equal ones the first.
std::size_t fastest(const ComparisonRow& row) {
  return static_cast<std::size_t>(std::min_element(row.makespans_ps.begin(), row.makespans_ps.end()) -
                                  row.makespans_ps.begin());
}

Row text_row(const ComparisonRow& row) {
  Row cells{std::to_string(row.size), format_amount(row.output_bytes, "B")};
  for (std::size_t i = 0; i < row.makespans_ps.size(); ++i)
    cells.push_back(format_seconds(static_cast<double>(row.makespans_ps[i]) * 1e-12, 4) +
                    (i == fastest(row) ? " *" : ""));
  return cells;
}

/// A row at which another algorithm is the fastest than in the row before it.
struct Change {
  std::int64_t below = 0;  ///< the size of the row before it
  std::int64_t from = 0;
  std::size_t algorithm = 0;
};

std::vector<Change> changes(const SimulateComparison& comparison) {
  std::vector<Change> changes;
  for (std::size_t i = 1; i < comparison.rows.size(); ++i)
    if (const std::size_t now = fastest(comparison.rows[i]); now != fastest(comparison.rows[i - 1]))
      changes.push_back({comparison.rows[i - 1].size, comparison.rows[i].size, now});
  return changes;
}

}  // namespace

SimulateComparison compare(const Statement& statement, const Mesh& mesh, const Unknown& sizes,
                           const std::vector<Algorithm>& algorithms, const PlanOptions& planning,
                           const SimulateTarget& target) {
  SimulateComparison comparison{to_string(statement, mesh), mesh, sizes.name, algorithms, {}, {}};
  for (double size = sizes.low; size <= sizes.high; size *= 2) {
    Statement sized = statement;
    set_size(sized, sizes.name, static_cast<std::int64_t>(size));
    check_sizes(sized);
    const std::vector<Plan> plans = plans_to_try(sized, mesh, target.hardware, planning);
    ComparisonRow row{static_cast<std::int64_t>(size), bytes_of(output(plans.front().statement)), {}};
    for (const Algorithm algorithm : algorithms) {
      std::int64_t fastest_ps = std::numeric_limits<std::int64_t>::max();
      for (const Plan& plan : plans) {
        const Simulated simulated = simulate_by({algorithm, {}}, plan, target);
        fastest_ps = std::min(fastest_ps, simulated.timeline.makespan_ps);
        comparison.group = simulated.group ? group_phrase(*simulated.group) : "";
      }
      row.makespans_ps.push_back(fastest_ps);
    }
    comparison.rows.push_back(std::move(row));
  }
  return comparison;
}

std::string as_text(const SimulateComparison& comparison, const Hardware& hardware) {
  Row head{comparison.index, "output"};
  for (const Algorithm algorithm : comparison.algorithms) head.emplace_back(name(algorithm));
  std::vector<Row> rows{head};
  for (const ComparisonRow& row : comparison.rows) rows.push_back(text_row(row));
  const std::string group = comparison.group.empty() ? "" : fmt::format(", {}", comparison.group);
  std::string text = fmt::format("{}\nmesh {} on {}{}; * is the fastest\n\n{}\n", comparison.subject,
                                 comparison.mesh.str(), hardware.name, group, text_table(rows));
  text +=
      fmt::format("{} is the fastest from {}={} on\n", name(comparison.algorithms[fastest(comparison.rows.front())]),
                  comparison.index, comparison.rows.front().size);
  for (const Change& change : changes(comparison))
    text += fmt::format("{} becomes the fastest between {}={} and {}\n", name(comparison.algorithms[change.algorithm]),
                        comparison.index, change.below, change.from);
  return text;
}

Json as_json(const SimulateComparison& comparison, const Hardware& hardware) {
  Json json{{"subject", comparison.subject}, {"mesh", comparison.mesh.str()}, {"hardware", hardware.name},
            {"index", comparison.index},     {"rows", Json::array()},         {"changes", Json::array()}};
  if (!comparison.group.empty()) json["group"] = comparison.group;
  for (const ComparisonRow& row : comparison.rows) {
    Json seconds = Json::object();
    for (std::size_t i = 0; i < row.makespans_ps.size(); ++i)
      seconds[std::string(name(comparison.algorithms[i]))] = static_cast<double>(row.makespans_ps[i]) * 1e-12;
    json["rows"].push_back({{"size", row.size},
                            {"output_bytes", row.output_bytes},
                            {"seconds", std::move(seconds)},
                            {"fastest", name(comparison.algorithms[fastest(row)])}});
  }
  for (const Change& change : changes(comparison))
    json["changes"].push_back(
        {{"above", change.below}, {"up_to", change.from}, {"fastest", name(comparison.algorithms[change.algorithm])}});
  return json;
}

}  // namespace meshmul::cli
