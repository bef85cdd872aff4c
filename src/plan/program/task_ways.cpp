#include "plan/program/task_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "meshmul/error.hpp"
#include "meshmul/wire_dtype.hpp"
#include "notation/print.hpp"
#include "plan/dimension_order.hpp"
#include "plan/layouts.hpp"
#include "plan/program/linear.hpp"

namespace meshmul {
namespace {

/// An elementwise function: loads its sources and stores its result.
StepCost map_cost(const Hardware& hardware, double bytes) {
  StepCost cost;
  cost.memory_seconds = bytes / hardware.chip.memory_bytes_per_second;
  cost.seconds = rounded_seconds(cost.memory_seconds);
  if (cost.seconds > 0) cost.bound = Bound::kMemory;
  return cost;
}

class WaysBuilder {
 public:
  WaysBuilder(const Task& task, const ProgramSetting& setting)
      : task_(task),
        setting_(setting),
        result_type_(setting.program.value(task.result).type),
        result_unreduced_(unreduced({task.result, false})) {}

  TaskWays product(const ProductStatement& statement) {
    if (statement.function) check_sums(*statement.function);
    const Product product = product_of(setting_.program, statement);
    check_wire_dtype(product, setting_.wire_dtype);
    const ProductIndices indices(product);
    const AxisSet a_unreduced = add_source(statement.a);
    const AxisSet b_unreduced = add_source(statement.b);
    AxisSet partial = a_unreduced | b_unreduced;
    for (const bool contracted : indices.contracted)
      if (contracted) partial = setting_.axes.all();
    add_result(result_type_, {setting_.wire_dtype.value_or(product.c.dtype), result_type_.dtype, result_unreduced_},
               partial);

    const ProductRates rates(setting_.machine.hardware, setting_.machine.cost, product.a.dtype);
    std::vector<Extents> extents;
    for (const std::int64_t size : indices.sizes) extents.emplace_back(size, setting_.axes);
    for_each_compute_layout(indices, setting_.axes.all(), a_unreduced, b_unreduced, [&](const ComputeLayout& layout) {
      if (is_partial_cotangent(statement.a, layout.a) || is_partial_cotangent(statement.b, layout.b)) return;
      LocalWork& work = add_work({layout.a, layout.b}, layout.c);
      ProductSize size;
      for (std::size_t index = 0; index < extents.size(); ++index)
        size.*indices.part[index] *= extents[index][layout.indices.dims[index].set()];
      work.cost = product_cost(rates, size, touched_bytes(work));
    });
    return std::move(ways_);
  }

  TaskWays map(const MapStatement& statement) {
    check_sums(statement.function);
    AxisSet partial = is_linear(statement.function) ? setting_.axes.all() : 0;
    for (const Use& source : statement.sources) partial &= add_source(source);
    // Sums are completed before they are rounded to another dtype.
    if (statement.function == MapFunction::kConvert) partial = result_unreduced_;
    add_result(result_type_, {result_type_.dtype, result_type_.dtype, result_unreduced_}, partial);

    for (const PackedSharding& at : all_shardings(result_type_.num_dims(), setting_.axes.all(), partial)) {
      std::vector<PackedSharding> sources;
      for (const Use& source : statement.sources)
        sources.push_back(alike(at, result_type_, type_of(setting_.program, source)));
      LocalWork& work = add_work(sources, at);
      work.cost = map_cost(setting_.machine.hardware, touched_bytes(work));
    }
    return std::move(ways_);
  }

  /// All states are those of the source, in its order of dimensions.
  TaskWays change() {
    const Use& source = task_.sources.front();
    const ArrayType from = type_of(setting_.program, source);
    in_order_of(from, result_type_);
    add_result(from, {from.dtype, from.dtype, result_unreduced_}, may_be_unreduced(source));
    for (int option = 0; option < num_options(source.value); ++option)
      ways_.starts.push_back(ways_.result->space().find(setting_.choices.sharding(source, option)));
    return std::move(ways_);
  }

 private:
  int num_options(ValueId value) const { return setting_.choices.num_options(setting_.choices.of(value)); }

  /// Axes over which it is partial, by any option.
  AxisSet unreduced(const Use& use) const {
    AxisSet axes = 0;
    for (int option = 0; option < num_options(use.value); ++option)
      axes |= setting_.choices.sharding(use, option).unreduced;
    return axes;
  }

  void check_sums(MapFunction function) const {
    if (result_unreduced_ == 0 || is_linear(function)) return;
    const std::string sentence = fmt::format(
        "{} takes complete sums, but {} is to be left partial over {}", meshmul::name(function), result_type_.name,
        notation::axes_text(setting_.axes.unpack(result_unreduced_), setting_.axes.mesh()));
    const auto place = place_of(setting_.program, task_.result);
    throw place ? Error(ErrorCode::kInvalidArgument, sentence, *place) : Error(ErrorCode::kInvalidArgument, sentence);
  }

  /// Axes over which a source may be partial: all if it is so already, else those of the result.
  AxisSet may_be_unreduced(const Use& use) const {
    return unreduced(use) != 0 ? setting_.axes.all() : result_unreduced_;
  }

  /// Returns `may_be_unreduced`.
  AxisSet add_source(const Use& use) {
    const AxisSet partial = may_be_unreduced(use);
    const ArrayType type = type_of(setting_.program, use);
    std::vector<PackedSharding> options;
    for (int option = 0; option < num_options(use.value); ++option)
      options.push_back(setting_.choices.sharding(use, option));
    ways_.sources.push_back(
        std::make_unique<const ArrayChains>(type, ElementType{type.dtype, type.dtype, result_unreduced_}, partial,
                                            options, Direction::kFromAnchors, setting_.axes, setting_.cost));
    return partial;
  }

  /// `type` is the result with its dimensions in any order.
  void add_result(const ArrayType& type, ElementType element_type, AxisSet may_be_unreduced) {
    std::vector<PackedSharding> options;
    for (int option = 0; option < num_options(task_.result); ++option)
      options.push_back(alike(setting_.choices.sharding(task_.result, option), result_type_, type));
    ways_.result =
        std::make_unique<const ArrayChains>(type, element_type, may_be_unreduced, options, Direction::kToAnchors,
                                            setting_.axes, setting_.cost, places_in(type, result_type_));
  }

  /// Several of them may have been added up, and then it is no sum of one kind of terms any more.
  bool is_partial_cotangent(const Use& use, const PackedSharding& at_work) const {
    return setting_.program.value(use.value).is_cotangent && at_work.unreduced != 0;
  }

  LocalWork& add_work(const std::vector<PackedSharding>& sources, const PackedSharding& result) {
    LocalWork& work = ways_.works.emplace_back();
    for (std::size_t i = 0; i < sources.size(); ++i) work.sources[i] = ways_.sources[i]->space().find(sources[i]);
    work.result = ways_.result->space().find(result);
    work.result_bytes = ways_.result->space().bytes(work.result);
    return work;
  }

  double touched_bytes(const LocalWork& work) const {
    double bytes = work.result_bytes;
    for (std::size_t i = 0; i < ways_.sources.size(); ++i) bytes += ways_.sources[i]->space().bytes(work.sources[i]);
    return bytes;
  }

  const Task& task_;
  const ProgramSetting& setting_;
  const ArrayType& result_type_;
  AxisSet result_unreduced_;
  TaskWays ways_;
};

}  // namespace

bool is_change_of_sharding(const Task& task, const Program& program) {
  if (task.statement == nullptr) return true;
  const auto* map = std::get_if<MapStatement>(task.statement);
  return map != nullptr && map->function == MapFunction::kConvert &&
         program.value(map->sources.front().value).type.dtype == program.value(map->result).type.dtype;
}

TaskWays ways_of(const Task& task, const ProgramSetting& setting) {
  WaysBuilder builder(task, setting);
  if (is_change_of_sharding(task, setting.program)) return builder.change();
  if (const auto* product = std::get_if<ProductStatement>(task.statement)) return builder.product(*product);
  return builder.map(std::get<MapStatement>(*task.statement));
}

}  // namespace meshmul
