#include "bench_collectives.hpp"

#include <fmt/format.h>

#include <array>

#include "base/amounts.hpp"
#include "interrupt.hpp"
#include "measure/collective_case.hpp"
#include "measure/mpi_peer.hpp"
#include "measure/team.hpp"
#include "plan/report/table.hpp"

namespace meshmul::cli {
namespace {

bool interrupted() { return interrupted_by() != 0; }

// What is measured of one size, each next to MPI where it is there.
struct Contenders {
  explicit Contenders(const measure::CollectiveCase& prepared)
      : reference(prepared.mpi ? prepared.mpi : prepared.copies), timed{prepared.rewriting, prepared.copies} {
    for (const measure::CollectiveRow& row : prepared.rows) timed.push_back(row.timed);
  }
  static constexpr std::size_t kRewriting = 0, kCopies = 1, kFirstRow = 2;

  measure::Timed reference;
  std::vector<measure::Timed> timed;
};

// Nothing unless all differences are above 0, as they are but for noise.
std::optional<measure::Estimate> without_rewriting(const measure::Pairs& pairs, const std::vector<double>& rewriting) {
  measure::Pairs less = pairs;
  for (std::size_t i = 0; i < rewriting.size(); ++i) {
    less.reference_seconds[i] -= rewriting[i];
    less.seconds[i] -= rewriting[i];
    if (less.reference_seconds[i] <= 0 || less.seconds[i] <= 0) return std::nullopt;
  }
  return measure::estimate_of_ratios(less.reference_seconds, less.seconds);
}

CollectiveFigures figures_of(const measure::CollectiveCase& prepared, const std::vector<measure::Pairs>& pairs) {
  CollectiveFigures figures{prepared.collective,
                            prepared.bytes,
                            prepared.bytes_to_get,
                            static_cast<int>(pairs.front().seconds.size()),
                            {},
                            {},
                            {}};
  if (figures.pairs == 0) return figures;
  const std::vector<double>& rewriting = pairs[Contenders::kRewriting].seconds;
  const std::vector<double>& copies = pairs[Contenders::kCopies].seconds;
  figures.rewriting_seconds = measure::estimate(rewriting);
  figures.copies_seconds = measure::estimate(copies);
  for (std::size_t i = 0; i < prepared.rows.size(); ++i) {
    const measure::Pairs& own = pairs[Contenders::kFirstRow + i];
    CollectiveFiguresRow row{prepared.rows[i].name,
                             prepared.rows[i].is_chosen,
                             measure::estimate(own.seconds),
                             measure::estimate_of_ratios(copies, own.seconds),
                             {},
                             {}};
    if (prepared.mpi) {
      row.of_mpi = measure::estimate_of_ratios(own.reference_seconds, own.seconds);
      row.of_mpi_without_rewriting = without_rewriting(own, rewriting);
    }
    figures.rows.push_back(std::move(row));
  }
  if (prepared.mpi) {
    const std::vector<double>& mpi = pairs[Contenders::kCopies].reference_seconds;
    figures.rows.push_back({"MPI", false, measure::estimate(mpi), measure::estimate_of_ratios(copies, mpi), {}, {}});
  }
  return figures;
}

std::string table_of(const CollectiveFigures& figures) {
  std::string text =
      fmt::format("{} of {} a rank, {} pairs\n", name(figures.kind), size_text(figures.bytes), figures.pairs);
  const auto interval = [](const std::optional<measure::Estimate>& estimate) {
    return estimate ? interval_text(*estimate) : "";
  };
  const auto rate = [&](const measure::Estimate& seconds) {
    return format_amount(figures.bytes_to_get / seconds.median, "B/s");
  };
  std::vector<Row> rows{{"", "time", "rate of a rank", "of copies alone", "", ""}};
  if (figures.rows.front().of_mpi) {
    rows.front()[4] = "MPI's time / this";
    rows.front()[5] = "without rewriting";
  }
  rows.push_back({"rewriting alone", format_seconds(figures.rewriting_seconds.median), "", "", "", ""});
  const measure::Estimate& copies = figures.copies_seconds;
  rows.push_back({"copies alone", format_seconds(copies.median), rate(copies), "1", "", ""});
  for (const CollectiveFiguresRow& row : figures.rows)
    rows.push_back({row.name + (row.is_chosen ? " *" : ""), format_seconds(row.seconds.median), rate(row.seconds),
                    interval_text(row.of_copies), interval(row.of_mpi), interval(row.of_mpi_without_rewriting)});
  return text + text_table(rows) + "\n";
}

}  // namespace

std::string size_text(std::int64_t bytes) {
  constexpr std::int64_t kKibi = 1024;
  if (bytes % (kKibi * kKibi) == 0) return fmt::format("{} MiB", bytes / kKibi / kKibi);
  return bytes % kKibi == 0 ? fmt::format("{} KiB", bytes / kKibi) : fmt::format("{} B", bytes);
}

std::span<const CollectiveKind> collective_kinds() {
  static constexpr std::array kAll{CollectiveKind::kAllGather, CollectiveKind::kReduceScatter,
                                   CollectiveKind::kAllReduce, CollectiveKind::kAllToAll};
  return kAll;
}

std::vector<CollectiveFigures> measure_collectives(const CollectiveSelection& selection, const BenchRun& run) {
  measure::Team team(run.mesh.num_devices());
  std::optional<measure::MpiPeer> mpi;
  if (measure::MpiPeer::is_available()) mpi.emplace(run.mesh.num_devices(), interrupted);
  std::vector<CollectiveFigures> all;
  for (const CollectiveKind kind : selection.kinds)
    for (std::int64_t bytes = selection.low; bytes <= selection.high && !interrupted(); bytes *= 4) {
      const measure::CollectiveCase prepared = measure::prepare_collective(
          kind, bytes, selection.algorithms, run.hardware, *run.executor, team, mpi ? &*mpi : nullptr, run.execute);
      const Contenders contenders(prepared);
      const std::string what = fmt::format("measuring {} of {}", name(kind), size_text(bytes));
      const CollectiveFigures figures =
          figures_of(prepared, measure_in_turn(what, contenders.reference, contenders.timed, run));
      if (!figures.rows.empty()) all.push_back(figures);
    }
  return all;
}

std::string as_text(const std::vector<CollectiveFigures>& figures) {
  if (figures.empty()) return "nothing was measured before it was interrupted\n";
  std::string text =
      "f32; * is the planner's choice; in brackets are 95 % intervals; times have the rewriting in them\n";
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
      if (row.of_mpi) rows.back()["of_mpi"] = as_json(*row.of_mpi);
      if (row.of_mpi_without_rewriting)
        rows.back()["of_mpi_without_rewriting"] = as_json(*row.of_mpi_without_rewriting);
    }
    json.push_back({{"collective", name(each.kind)},
                    {"bytes", each.bytes},
                    {"bytes_to_get", each.bytes_to_get},
                    {"pairs", each.pairs},
                    {"rewriting_alone_seconds", as_json(each.rewriting_seconds)},
                    {"copies_alone_seconds", as_json(each.copies_seconds)},
                    {"rows", std::move(rows)}});
  }
  return json;
}

}  // namespace meshmul::cli
