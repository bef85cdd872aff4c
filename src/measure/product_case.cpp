#include "matmul_case.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "blas_in_one_process.hpp"
#include "loaded_schedule.hpp"
#include "meshmul/collectives.hpp"
#include "meshmul/error.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/tune.hpp"

namespace meshmul::measure {
namespace {

double flops_of(const Product& product) {
  double flops = 2;
  for (const Dim& dim : product.a.dims) flops *= static_cast<double>(dim.size);
  for (const Dim& dim : product.b.dims) {
    const auto is_same = [&](const Dim& other) { return other.index == dim.index; };
    if (std::none_of(product.a.dims.begin(), product.a.dims.end(), is_same)) flops *= static_cast<double>(dim.size);
  }
  return flops;
}

// The shards are multiplied where they lie, and nothing moves.
Plan alone(const LocalProduct& product, const Mesh& mesh) {
  Plan plan;
  plan.mesh = mesh;
  plan.statement = Product{product.a, product.b, product.c};
  plan.steps = {product};
  return plan;
}

// The design that a way is known by: that of the operands, else that of the sums.
Design design_of(const OverlapOptions& overlap) {
  return overlap.gather != Design::kSequential ? overlap.gather : overlap.reduce;
}

class Preparation {
 public:
  Preparation(const Compiled& chosen, const Executor& executor, const std::function<bool()>& interrupted)
      : chosen_(chosen), executor_(executor), interrupted_(interrupted) {}

  MatmulRow row(std::string name, const LowerOptions& way) const {
    return {std::move(name), to_string(way), timed(lower(chosen_.plan, way))};
  }

  MatmulRow products_alone() const {
    for (const Step& step : chosen_.plan.steps)
      if (const auto* product = std::get_if<LocalProduct>(&step))
        return {"products alone", "", timed(lower(alone(*product, chosen_.plan.mesh)))};
    throw Error(ErrorCode::kInvalidArgument, "there is nothing to multiply");
  }

  // Every step as a program of its own, run one after the other.
  MatmulRow collective_then_blas() const {
    std::vector<Timed> steps;
    for (const Step& step : chosen_.plan.steps) {
      const auto* move = std::get_if<Move>(&step);
      steps.push_back(timed(move != nullptr ? build_move(*move, chosen_.plan.mesh)
                                            : lower(alone(std::get<LocalProduct>(step), chosen_.plan.mesh))));
    }
    return {"collective, then BLAS", "", [steps] {
              double seconds = 0;
              for (const Timed& step : steps) seconds += step();
              return seconds;
            }};
  }

  // The fastest way of each design, by the simulator.
  std::vector<MatmulRow> designs() const {
    std::vector<MatmulRow> rows;
    for (const Design design : meshmul::designs()) {
      const auto has_it = [&](const Candidate& candidate) { return design_of(candidate.lower.overlap) == design; };
      const auto found = std::find_if(chosen_.candidates.begin(), chosen_.candidates.end(), has_it);
      if (found != chosen_.candidates.end()) rows.push_back(row(std::string(name(design)), found->lower));
    }
    return rows;
  }

 private:
  Timed timed(const Schedule& schedule) const {
    const auto loaded = std::make_shared<LoadedSchedule>(schedule, executor_, interrupted_);
    return [loaded] { return loaded->run(); };
  }

  const Compiled& chosen_;
  const Executor& executor_;
  const std::function<bool()>& interrupted_;
};

}  // namespace

MatmulCase prepare_matmul(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                          const Executor& executor, const std::function<bool()>& interrupted) {
  const auto* product = std::get_if<Product>(&statement);
  if (product == nullptr)
    throw Error(ErrorCode::kInvalidArgument, "expected a product of two arrays: " + to_string(statement, mesh));
  const Compiled chosen = compile(statement, mesh, hardware, executor);
  const Preparation preparation(chosen, executor, interrupted);
  MatmulCase prepared{to_string(chosen.plan.statement, mesh), flops_of(*product), preparation.products_alone(), {}};
  prepared.rows.push_back(preparation.row("planner's choice", chosen.lower));
  for (MatmulRow& row : preparation.designs()) prepared.rows.push_back(std::move(row));
  prepared.rows.push_back(preparation.collective_then_blas());
  if (Timed whole = blas_in_one_process(*product))
    prepared.rows.push_back({"BLAS, one process", "on all cores", std::move(whole)});
  return prepared;
}

}  // namespace meshmul::measure
