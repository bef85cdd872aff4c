#include "product_case.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "loaded_schedule.hpp"
#include "meshmul/collectives.hpp"
#include "meshmul/error.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/lower_program.hpp"
#include "meshmul/tune.hpp"
#include "notation/useful_flops.hpp"
#include "one_process.hpp"
#include "plan/program/tasks.hpp"
#include "steps_alone.hpp"

namespace meshmul::measure {
namespace {

// The design that a way is known by: that of the operands, else that of the sums; none if products have several.
std::optional<Design> design_of(const LowerOptions& way) {
  return way.overlap.gather != Design::kSequential ? way.overlap.gather : way.overlap.reduce;
}
std::optional<Design> design_of(const ProgramWay& way) {
  return way.parts.empty() ? design_of(way.rest) : std::nullopt;
}

std::optional<MapFunction> function_of(const PlannedPart& part, const Program& program) {
  return std::get<ProductStatement>(*statement_of(part, program)).function;
}

// A schedule that is run so often, without a pause where it can be.
struct Repeated {
  std::shared_ptr<LoadedSchedule> schedule;
  std::int64_t times = 1;
};

struct RepeatedProduct {
  Schedule schedule;
  std::int64_t times = 1;
};

Timed one_after_the_other(std::vector<Repeated> parts) {
  return [parts = std::move(parts)] {
    double seconds = 0;
    for (const Repeated& part : parts) seconds += part.schedule->run(part.times);
    return seconds;
  };
}

ProductRow made_row(std::string name, std::string detail, std::vector<Repeated> parts) {
  std::int64_t bytes = 0;
  for (const Repeated& part : parts) bytes += part.times * part.schedule->bytes_moved();
  return {std::move(name), std::move(detail), one_after_the_other(std::move(parts)), bytes};
}

// Builds the rows of whatever was compiled: a plan of a statement, or of a program.
template <class CompiledOne>
class Rows {
 public:
  Rows(const CompiledOne& chosen, const Executor& executor, const ExecuteOptions& options)
      : chosen_(chosen), executor_(executor), options_(options) {}

  template <class Way>
  ProductRow row(std::string name, const Way& way) const {
    return made_row(std::move(name), to_string(way), {{loaded(lower(chosen_.plan, way))}});
  }

  // The fastest way of each design, by the simulator; but for the way that is chosen.
  std::vector<ProductRow> other_designs() const {
    std::vector<ProductRow> rows;
    for (const Design design : meshmul::designs()) {
      const auto has_it = [&](const auto& candidate) { return design_of(candidate.lower) == design; };
      const auto found = std::find_if(chosen_.candidates.begin(), chosen_.candidates.end(), has_it);
      if (found != chosen_.candidates.end() && found->lower != chosen_.lower)
        rows.push_back(row(std::string(name(design)), found->lower));
    }
    return rows;
  }

  // A step as a schedule of its own, and the function that is applied to what it makes as another.
  void add(const ProgramStep& step, std::optional<MapFunction> function, std::int64_t times) {
    const Mesh& mesh = chosen_.plan.mesh;
    if (const auto* product = std::get_if<LocalProduct>(&step)) {
      products_.push_back({product_alone(*product, mesh), times});
      parts_.push_back({loaded(products_.back().schedule), times});
      if (function) parts_.push_back({loaded(map_alone(*function, {product->c}, product->c, mesh)), times});
    } else if (const auto* move = std::get_if<Move>(&step)) {
      parts_.push_back({loaded(build_move(*move, mesh)), times});
      if (function) parts_.push_back({loaded(map_alone(*function, {move->to}, move->to, mesh)), times});
    } else {
      const auto& map = std::get<LocalMap>(step);
      parts_.push_back({loaded(map_alone(map.function, map.sources, map.result, mesh)), times});
    }
  }

  /// Of what was added, in memory of its own with each call. Throws Error(kInvalidArgument) if there is no product.
  std::function<Timed()> products_alone() const {
    if (products_.empty()) throw Error(ErrorCode::kInvalidArgument, "there is nothing to multiply");
    return [products = products_, executor = &executor_, options = options_] {
      std::vector<Repeated> opened;
      for (const auto& [schedule, times] : products)
        opened.push_back({std::make_shared<LoadedSchedule>(schedule, *executor, options), times});
      return one_after_the_other(std::move(opened));
    };
  }
  ProductRow collective_then_blas() const { return made_row("collective, then BLAS", "", parts_); }

 private:
  std::shared_ptr<LoadedSchedule> loaded(const Schedule& schedule) const {
    return std::make_shared<LoadedSchedule>(schedule, executor_, options_);
  }

  const CompiledOne& chosen_;
  const Executor& executor_;
  const ExecuteOptions& options_;
  std::vector<Repeated> parts_;
  std::vector<RepeatedProduct> products_;
};

template <class CompiledOne, class Way>
void add_all_ways(ProductCase& prepared, const Rows<CompiledOne>& rows, const Way& chosen) {
  prepared.open_products_alone = rows.products_alone();
  prepared.rows.push_back(rows.row("planner's choice", chosen));
  for (ProductRow& row : rows.other_designs()) prepared.rows.push_back(std::move(row));
  prepared.rows.push_back(rows.collective_then_blas());
}

}  // namespace

ProductCase prepare_product(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                            const Executor& executor, const ExecuteOptions& options) {
  const auto* product = std::get_if<Product>(&statement);
  if (product == nullptr)
    throw Error(ErrorCode::kInvalidArgument, "expected a product of two arrays: " + to_string(statement, mesh));
  const Compiled chosen = compile(statement, mesh, hardware, executor);
  Rows rows(chosen, executor, options);
  for (const Step& step : chosen.plan.steps)
    std::visit([&rows](const auto& one) { rows.add(one, std::nullopt, 1); }, step);
  ProductCase prepared{to_string(chosen.plan.statement, mesh), useful_flops(statement), nullptr, {}};
  add_all_ways(prepared, rows, chosen.lower);
  for (OneProcess& whole : in_one_process(*product, options.interrupted))
    prepared.rows.push_back({whole.library + ", one process", "on all cores", std::move(whole.timed), 0});
  return prepared;
}

ProductCase prepare_program(const Program& program, const Mesh& mesh, const Hardware& hardware,
                            const Executor& executor, const ExecuteOptions& options) {
  const CompiledProgram chosen = compile(program, mesh, hardware, executor);
  const PlannedProgram& best = chosen.plan.best;
  Rows rows(chosen, executor, options);
  ProductCase prepared{"", useful_flops(best.program), nullptr, {}};
  for (const PlannedPart& part : best.parts)
    for (std::size_t i = 0; i < part.steps.size(); ++i) {
      const bool has_function = part.function_step && static_cast<std::size_t>(*part.function_step) == i;
      rows.add(part.steps[i], has_function ? function_of(part, best.program) : std::nullopt, part.times);
    }
  add_all_ways(prepared, rows, chosen.lower);
  return prepared;
}

}  // namespace meshmul::measure
