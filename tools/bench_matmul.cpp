#include "bench_matmul.hpp"

#include <fmt/format.h>

#include "base/amounts.hpp"
#include "interrupt.hpp"
#include "measure/matmul_case.hpp"
#include "plan/report/table.hpp"

namespace meshmul::cli {

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

MatmulFigures measure_matmul(const Statement& statement, const BenchRun& run) {
  const measure::MatmulCase prepared =
      measure::prepare_matmul(statement, run.mesh, run.hardware, *run.executor, [] { return interrupted_by() != 0; });
  std::vector<measure::Timed> contenders;
  for (const measure::MatmulRow& row : prepared.rows) contenders.push_back(row.timed);
  const std::vector<measure::Pairs> pairs =
      measure_in_turn("measuring " + prepared.statement, prepared.products_alone.timed, contenders, run);
  MatmulFigures figures{prepared.statement, prepared.flops, static_cast<int>(pairs.front().seconds.size()), {}};
  if (figures.pairs == 0) return figures;
  figures.rows.push_back({prepared.products_alone.name,
                          prepared.products_alone.detail,
                          measure::estimate(pairs.front().reference_seconds),
                          {1, 1, 1, 1}});
  for (std::size_t i = 0; i < pairs.size(); ++i)
    figures.rows.push_back({prepared.rows[i].name, prepared.rows[i].detail, measure::estimate(pairs[i].seconds),
                            measure::estimate_of_ratios(pairs[i].reference_seconds, pairs[i].seconds)});
  return figures;
}

std::string as_text(const MatmulFigures& figures) {
  if (figures.rows.empty())
    return fmt::format("{}\nnothing was measured before it was interrupted\n", figures.statement);
  std::vector<Row> rows{{"", "time", "rate", "of products alone", "built as"}};
  for (const MatmulFiguresRow& row : figures.rows)
    rows.push_back({row.name, format_seconds(row.seconds.median),
                    format_amount(figures.flops / row.seconds.median, "FLOP/s"), interval_text(row.ratio), row.detail});
  return fmt::format("{}\n{} pairs\n\n{}", figures.statement, figures.pairs, text_table(rows));
}

Json as_json(const MatmulFigures& figures) {
  Json json{{"statement", figures.statement}, {"flops", figures.flops}, {"pairs", figures.pairs}};
  json["rows"] = Json::array();
  for (const MatmulFiguresRow& row : figures.rows)
    json["rows"].push_back({{"name", row.name},
                            {"built_as", row.detail},
                            {"seconds", as_json(row.seconds)},
                            {"flops_per_second", figures.flops / row.seconds.median},
                            {"of_products_alone", as_json(row.ratio)}});
  return json;
}

}  // namespace meshmul::cli
