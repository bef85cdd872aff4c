#include "plan/program/choices.hpp"

#include <algorithm>

#include "meshmul/layout.hpp"
#include "plan/program/linear.hpp"

namespace meshmul {
namespace {

void count_cut_axes(PackedSharding& sharding) {
  sharding.cut = 0;
  for (const DimAxes& dim : sharding.dims) sharding.cut |= dim.set();
}

/// Calls `visit` with every statement, those of loops included.
template <class Visit>
void for_each_statement(const Program& program, Visit visit) {
  for (const ProgramItem& item : program.items) {
    if (const auto* statement = std::get_if<ProgramStatement>(&item)) visit(*statement);
    if (const auto* repeat = std::get_if<Repeat>(&item))
      for (const ProgramStatement& statement : repeat->body) visit(statement);
  }
}

std::vector<bool> sliced_values(const Program& program) {
  std::vector<bool> sliced(program.values.size(), false);
  for_each_statement(program, [&](const ProgramStatement& statement) {
    for (const Use& use : uses(statement))
      if (use.sliced) sliced[static_cast<std::size_t>(use.value)] = true;
  });
  return sliced;
}

/// What functions make that are not linear, and what is rounded to another dtype.
std::vector<bool> complete_values(const Program& program) {
  std::vector<bool> complete(program.values.size(), false);
  for_each_statement(program, [&](const ProgramStatement& statement) {
    const ValueId result = results(statement).front();
    bool is_sum = true;
    if (const auto* product = std::get_if<ProductStatement>(&statement)) is_sum = !product->function;
    if (const auto* map = std::get_if<MapStatement>(&statement)) {
      const bool rounds = map->function == MapFunction::kConvert &&
                          program.value(map->sources[0].value).type.dtype != program.value(result).type.dtype;
      is_sum = is_linear(map->function) && !rounds;
    }
    if (!is_sum) complete[static_cast<std::size_t>(result)] = true;
  });
  return complete;
}

double shard_bytes(ArrayType type, const PackedSharding& sharding, const AxisNumbering& axes) {
  type.sharding = axes.unpack(sharding, type.num_dims());
  return static_cast<double>(max_local_bytes(type, axes.mesh()));
}

}  // namespace

PackedSharding alike(const PackedSharding& sharding, const ArrayType& from, const ArrayType& to) {
  PackedSharding result;
  result.unreduced = sharding.unreduced;
  for (std::size_t t = 0; t < to.dims.size(); ++t)
    for (std::size_t f = 0; f < from.dims.size(); ++f)
      if (to.dims[t].index == from.dims[f].index) result.dims[t] = sharding.dims[f];
  count_cut_axes(result);
  return result;
}

Choices::Choices(const Program& program, const AxisNumbering& axes, bool partial_cotangents) {
  settle(program, axes, partial_cotangents);
  const std::vector<bool> sliced = sliced_values(program);
  const std::vector<bool> complete = complete_values(program);
  for (ValueId value = 0; value < static_cast<ValueId>(program.values.size()); ++value) {
    if (sliced[at(value)])
      keep_options(value, [](const PackedSharding& sharding) { return sharding.dims[0].set() == 0; });
    if (complete[at(value)] && program.value(value).type.open)
      keep_options(value, [](const PackedSharding& sharding) { return sharding.unreduced == 0; });
  }
  for (std::size_t v = 0; v < shardings_.size(); ++v) {
    std::vector<double>& bytes = bytes_.emplace_back();
    for (const PackedSharding& sharding : shardings_[v])
      bytes.push_back(shard_bytes(program.values[v].type, sharding, axes));
  }
}

/// One choice for each value that is like no other.
void Choices::settle(const Program& program, const AxisNumbering& axes, bool partial_cotangents) {
  for (const Value& value : program.values) {
    std::vector<PackedSharding>& shardings = shardings_.emplace_back();
    if (value.type.open && value.like) {
      choice_of_.push_back(of(*value.like));
      for (const PackedSharding& other : shardings_[at(*value.like)])
        shardings.push_back(alike(other, program.value(*value.like).type, value.type));
      continue;
    }
    const bool may_be_partial = partial_cotangents && value.is_cotangent && value.kind != ValueKind::kGiven;
    if (value.type.open)
      shardings = all_shardings(value.type.num_dims(), axes.all(), may_be_partial ? axes.all() : 0);
    else
      shardings = {axes.pack(value.type.sharding)};
    choice_of_.push_back(num_choices());
    num_options_.push_back(static_cast<int>(shardings.size()));
  }
}

template <class IsAllowed>
void Choices::keep_options(ValueId value, IsAllowed is_allowed) {
  const std::vector<PackedSharding> options = shardings_[at(value)];  // a copy: those of `value` are dropped too
  for (std::size_t other = 0; other < shardings_.size(); ++other) {
    if (choice_of_[other] != of(value)) continue;
    std::size_t option = 0;
    std::erase_if(shardings_[other], [&](const PackedSharding&) { return !is_allowed(options[option++]); });
    num_options_[at(of(value))] = static_cast<int>(shardings_[other].size());
  }
}

PackedSharding Choices::sharding(const Use& use, int option) const {
  PackedSharding sharding = this->sharding(use.value, option);
  if (use.sliced) {
    std::rotate(sharding.dims.begin(), sharding.dims.begin() + 1, sharding.dims.end());
    count_cut_axes(sharding);
  }
  return sharding;
}

double Choices::least_bytes(ValueId value) const {
  return *std::min_element(bytes_[at(value)].begin(), bytes_[at(value)].end());
}

}  // namespace meshmul
