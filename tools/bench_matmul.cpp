#include "bench_matmul.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/amounts.hpp"
#include "measure/product_case.hpp"
#include "meshmul/error.hpp"
#include "plan/report/table.hpp"

namespace meshmul::cli {
namespace {

std::vector<measure::ProductRow> wanted_rows(const std::vector<measure::ProductRow>& rows, const BenchRun& run) {
  if (run.rows.empty()) return rows;
  std::vector<measure::ProductRow> wanted;
  std::string names;
  for (const measure::ProductRow& row : rows) {
    const auto is_in_name = [&](const std::string& part) { return row.name.find(part) != std::string::npos; };
    if (std::any_of(run.rows.begin(), run.rows.end(), is_in_name)) wanted.push_back(row);
    names += (names.empty() ? "" : "; ") + row.name;
  }
  if (wanted.empty())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--rows {} names none of the ways there are: {}", fmt::join(run.rows, ","), names));
  return wanted;
}

// What takes less than this is done once before it is timed, so that it finds its operands in the caches as far as they fit.
measure::Timed warmed(measure::Timed timed) {
  constexpr double kShortSeconds = 0.05;
  return [timed = std::move(timed), seconds = 2 * kShortSeconds]() mutable {
    if (seconds < kShortSeconds) timed();
    return seconds = timed();
  };
}

std::vector<double> differences(const measure::Pairs& pairs) {
  std::vector<double> seconds = pairs.seconds;
  for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] -= pairs.reference_seconds[i];
  return seconds;
}

MatmulFigures measure(measure::ProductCase prepared, const BenchRun& run) {
  prepared.rows = wanted_rows(prepared.rows, run);
  std::vector<measure::Timed> contenders, products_alone;
  for (const measure::ProductRow& row : prepared.rows) {
    contenders.push_back(warmed(row.timed));
    products_alone.push_back(warmed(prepared.open_products_alone()));
  }
  const measure::Timed reference = [&products_alone, next = std::size_t{0}]() mutable {
    return products_alone[next++ % products_alone.size()]();
  };
  const std::vector<measure::Pairs> pairs = measure_in_turn("measuring " + prepared.name, reference, contenders, run);
  MatmulFigures figures{prepared.name, prepared.flops, static_cast<int>(pairs.front().seconds.size()), {}};
  if (figures.pairs == 0) return figures;
  figures.rows.push_back(
      {"products alone", "", measure::estimate(pairs.front().reference_seconds), {1, 1, 1, 1}, {}, 0});
  for (std::size_t i = 0; i < pairs.size(); ++i)
    figures.rows.push_back({prepared.rows[i].name, prepared.rows[i].detail, measure::estimate(pairs[i].seconds),
                            measure::estimate_of_ratios(pairs[i].reference_seconds, pairs[i].seconds),
                            measure::estimate(differences(pairs[i])), prepared.rows[i].bytes_between_ranks});
  return figures;
}

}  // namespace

std::vector<Statement> default_products(std::int64_t m, std::int64_t k, std::int64_t n, const Mesh& mesh, Dtype dtype) {
  std::vector<Statement> statements;
  for (const char* text : {"A[M_X, K] * B[K, N_X] -> C[M, N_X]", "A[M_X, K] * B[K_X, N] -> C[M_X, N]",
                           "A[M, K_X] * B[K_X, N] -> C[M_X, N]", "A[M, K_X] * B[K_X, N] -> C[M, N]"}) {
    Statement statement = parse_statement(text, mesh, dtype);
    set_size(statement, "M", m);
    set_size(statement, "K", k);
    set_size(statement, "N", n);
    statements.push_back(std::move(statement));
  }
  return statements;
}

std::string mlp_program(std::int64_t layers, std::int64_t b, std::int64_t d, std::int64_t f, Dtype dtype) {
  return fmt::format(
      "{dtype} X[B={b}_X, D={d}]\n"
      "{dtype} W1[L={layers}, D, F={f}_X]\n"
      "{dtype} W2[L, F_X, D]\n"
      "repeat L as l {{\n"
      "  H = gelu(X * W1[l])\n"
      "  X = H * W2[l] like X\n"
      "}}\n",
      fmt::arg("dtype", name(dtype)), fmt::arg("layers", layers), fmt::arg("b", b), fmt::arg("d", d), fmt::arg("f", f));
}

MatmulFigures measure_matmul(const Statement& statement, const BenchRun& run) {
  return measure(measure::prepare_product(statement, run.mesh, run.hardware, *run.executor, run.execute), run);
}

MatmulFigures measure_program(const Program& program, const std::string& name, const BenchRun& run) {
  measure::ProductCase prepared = measure::prepare_program(program, run.mesh, run.hardware, *run.executor, run.execute);
  prepared.name = name;
  return measure(std::move(prepared), run);
}

std::string as_text(const MatmulFigures& figures) {
  if (figures.rows.empty()) return fmt::format("{}\nnothing was measured before it was interrupted\n", figures.name);
  std::vector<Row> rows{{"", "time", "rate", "of products alone", "built as"}};
  for (const MatmulFiguresRow& row : figures.rows)
    rows.push_back({row.name, format_seconds(row.seconds.median),
                    format_amount(figures.flops / row.seconds.median, "FLOP/s"), interval_text(row.ratio), row.detail});
  return fmt::format("{}\n{} pairs\n\n{}", figures.name, figures.pairs, text_table(rows));
}

Json as_json(const MatmulFigures& figures) {
  Json json{{"name", figures.name}, {"flops", figures.flops}, {"pairs", figures.pairs}};
  json["rows"] = Json::array();
  for (const MatmulFiguresRow& row : figures.rows) {
    Json made{{"name", row.name},
              {"built_as", row.detail},
              {"seconds", as_json(row.seconds)},
              {"flops_per_second", figures.flops / row.seconds.median},
              {"of_products_alone", as_json(row.ratio)}};
    if (row.bytes_between_ranks > 0) {
      made["exposed_seconds"] = as_json(row.exposed_seconds);
      made["bytes_between_ranks"] = row.bytes_between_ranks;
      made["bytes_per_second"] = static_cast<double>(row.bytes_between_ranks) / row.seconds.median;
    }
    json["rows"].push_back(std::move(made));
  }
  return json;
}

}  // namespace meshmul::cli
