#include "bench_collectives.hpp"

#include <fmt/format.h>

#include "base/amounts.hpp"
#include "interrupt.hpp"
#include "measure/collective_case.hpp"
#include "measure/mpi_peer.hpp"
#include "measure/team.hpp"
#include "plan/report/table.hpp"

namespace meshmul::cli {
namespace {

bool interrupted() { return interrupted_by() != 0; }

/// `1 KiB`
std::string size_text(std::int64_t bytes) {
  constexpr std::int64_t kKibi = 1024;
  if (bytes % (kKibi * kKibi) == 0) return fmt::format("{} MiB", bytes / kKibi / kKibi);
  return bytes % kKibi == 0 ? fmt::format("{} KiB", bytes / kKibi) : fmt::format("{} B", bytes);
}

CollectiveFigures figures_of(const measure::CollectiveCase& prepared, const std::vector<measure::Pairs>& pairs) {
  CollectiveFigures figures{prepared.collective,
                            prepared.bytes,
                            prepared.bytes_to_get,
                            static_cast<int>(pairs.front().seconds.size()),
                            {},
                            {}};
  if (figures.pairs == 0) return figures;
  figures.copies_seconds = measure::estimate(pairs.front().reference_seconds);
  const bool has_peer = prepared.rows.back().name == measure::kPeerName;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    CollectiveFiguresRow row{prepared.rows[i].name,
                             prepared.rows[i].is_chosen,
                             measure::estimate(pairs[i].seconds),
                             measure::estimate_of_ratios(pairs[i].reference_seconds, pairs[i].seconds),
                             {}};
    if (has_peer) row.of_peer = measure::estimate_of_ratios(pairs.back().seconds, pairs[i].seconds);
    figures.rows.push_back(std::move(row));
  }
  return figures;
}

std::string table_of(const CollectiveFigures& figures) {
  std::string text =
      fmt::format("{} of {} a rank, {} pairs\n", name(figures.kind), size_text(figures.bytes), figures.pairs);
  std::vector<Row> rows{{"", "time", "rate of a rank", "of copies alone", ""}};
  if (figures.rows.back().of_peer) rows.front().back() = "MPI's time / this";
  rows.push_back({"copies alone", format_seconds(figures.copies_seconds.median),
                  format_amount(figures.bytes_to_get / figures.copies_seconds.median, "B/s"), "1", ""});
  for (const CollectiveFiguresRow& row : figures.rows)
    rows.push_back({row.name + (row.is_chosen ? " *" : ""), format_seconds(row.seconds.median),
                    format_amount(figures.bytes_to_get / row.seconds.median, "B/s"), interval_text(row.of_copies),
                    row.of_peer ? interval_text(*row.of_peer) : ""});
  return text + text_table(rows) + "\n";
}

}  // namespace

std::vector<CollectiveFigures> measure_collectives(std::int64_t low, std::int64_t high, const BenchRun& run) {
  measure::Team team(run.mesh.num_devices());
  std::optional<measure::MpiPeer> mpi;
  if (measure::MpiPeer::is_available()) mpi.emplace(run.mesh.num_devices(), interrupted);
  std::vector<CollectiveFigures> all;
  for (const CollectiveKind kind : {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter,
                                    CollectiveKind::kAllReduce, CollectiveKind::kAllToAll})
    for (std::int64_t bytes = low; bytes <= high && !interrupted(); bytes *= 4) {
      const measure::CollectiveCase prepared = measure::prepare_collective(kind, bytes, run.hardware, *run.executor,
                                                                           team, mpi ? &*mpi : nullptr, interrupted);
      std::vector<measure::Timed> contenders;
      for (const measure::CollectiveRow& row : prepared.rows) contenders.push_back(row.timed);
      const std::string what = fmt::format("measuring {} of {}", name(kind), size_text(bytes));
      const CollectiveFigures figures = figures_of(prepared, measure_in_turn(what, prepared.copies, contenders, run));
      if (!figures.rows.empty()) all.push_back(figures);
    }
  return all;
}

std::string as_text(const std::vector<CollectiveFigures>& figures) {
  if (figures.empty()) return "nothing was measured before it was interrupted\n";
  std::string text = "f32; * is the planner's choice; times in brackets are 95 % intervals\n";
  for (const CollectiveFigures& each : figures) text += "\n" + table_of(each);
  return text;
}

Json as_json(const std::vector<CollectiveFigures>& figures) {
  Json json = Json::array();
  for (const CollectiveFigures& each : figures) {
    Json rows = Json::array();
    for (const CollectiveFiguresRow& row : each.rows) {
      rows.push_back({{"name", row.name},
                      {"chosen", row.is_chosen},
                      {"seconds", as_json(row.seconds)},
                      {"bytes_per_second", each.bytes_to_get / row.seconds.median},
                      {"of_copies_alone", as_json(row.of_copies)}});
      if (row.of_peer) rows.back()["of_mpi"] = as_json(*row.of_peer);
    }
    json.push_back({{"collective", name(each.kind)},
                    {"bytes", each.bytes},
                    {"bytes_to_get", each.bytes_to_get},
                    {"pairs", each.pairs},
                    {"copies_alone_seconds", as_json(each.copies_seconds)},
                    {"rows", std::move(rows)}});
  }
  return json;
}

}  // namespace meshmul::cli
