#pragma once
// `meshmul bench matmul|mlp`: sharded products, and programs of them, against their local products alone.

#include <cstdint>
#include <string>
#include <vector>

#include "bench_run.hpp"
#include "json.hpp"
#include "measure/estimate.hpp"
#include "meshmul/program.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::cli {

struct MatmulFiguresRow {
  std::string name;
  std::string detail;  ///< how it was built
  measure::Estimate seconds;
  measure::Estimate ratio;               ///< products alone / this: 1 is as fast as if nothing moved
  measure::Estimate exposed_seconds;     ///< what it takes longer than the products alone
  std::int64_t bytes_between_ranks = 0;  ///< that one run moves
};

/// Of one statement, or one program. `rows` begin with the products alone, whose ratio is 1; they are empty if it was interrupted too early.
struct MatmulFigures {
  std::string name;  ///< the statement, or the file of the program
  double flops = 0;
  int pairs = 0;
  std::vector<MatmulFiguresRow> rows;
};

/// Those that are measured by default, of M x K by K x N: one that gathers the first array, one that gathers the second, one
/// that adds partial sums and scatters them, and one that adds them everywhere. On a mesh of one axis, X.
std::vector<Statement> default_products(std::int64_t m, std::int64_t k, std::int64_t n, const Mesh& mesh, Dtype dtype);

/// `layers` layers of an MLP, tensor-parallel: rows of a batch of B are gathered, multiplied by W1[D, F] of each layer, put through gelu,
/// multiplied by W2[F, D] of each, and scattered again. On a mesh of one axis, X.
std::string mlp_program(std::int64_t layers, std::int64_t b, std::int64_t d, std::int64_t f, Dtype dtype);

MatmulFigures measure_matmul(const Statement& statement, const BenchRun& run);
MatmulFigures measure_program(const Program& program, const std::string& name, const BenchRun& run);

std::string as_text(const MatmulFigures& figures);
Json as_json(const MatmulFigures& figures);

}  // namespace meshmul::cli
