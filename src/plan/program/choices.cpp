#include "plan/program/choices.hpp"

#include <algorithm>

#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

void count_cut_axes(PackedSharding& sharding) {
  sharding.cut = 0;
  for (const DimAxes& dim : sharding.dims) sharding.cut |= dim.set();
}

std::vector<bool> sliced_values(const Program& program) {
  std::vector<bool> sliced(program.values.size(), false);
  for (const ProgramItem& item : program.items)
    if (const auto* repeat = std::get_if<Repeat>(&item))
      for (const ProgramStatement& statement : repeat->body)
        for (const Use& use : uses(statement))
          if (use.sliced) sliced[static_cast<std::size_t>(use.value)] = true;
  return sliced;
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

Choices::Choices(const Program& program, const AxisNumbering& axes) {
  const std::vector<bool> sliced = sliced_values(program);
  for (std::size_t v = 0; v < program.values.size(); ++v) {
    const Value& value = program.values[v];
    std::vector<PackedSharding>& shardings = shardings_.emplace_back();
    if (value.type.open && value.like) {
      choice_of_.push_back(of(*value.like));
      for (const PackedSharding& other : shardings_[at(*value.like)])
        shardings.push_back(alike(other, program.value(*value.like).type, value.type));
    } else {
      choice_of_.push_back(num_choices());
      if (value.type.open)
        shardings = all_shardings(value.type.num_dims(), axes.all(), 0);
      else
        shardings = {axes.pack(value.type.sharding)};
      num_options_.push_back(static_cast<int>(shardings.size()));
    }
  }
  for (std::size_t v = 0; v < sliced.size(); ++v) {
    if (!sliced[v]) continue;
    // A copy, since the options of `v` itself are dropped with the others.
    const std::vector<PackedSharding> options = shardings_[v];
    for (std::size_t other = 0; other < sliced.size(); ++other) {
      if (choice_of_[other] != choice_of_[v]) continue;
      std::size_t option = 0;
      std::erase_if(shardings_[other], [&](const PackedSharding&) { return options[option++].dims[0].set() != 0; });
      num_options_[at(choice_of_[v])] = static_cast<int>(shardings_[other].size());
    }
  }
  for (std::size_t v = 0; v < shardings_.size(); ++v) {
    std::vector<double>& bytes = bytes_.emplace_back();
    for (const PackedSharding& sharding : shardings_[v])
      bytes.push_back(shard_bytes(program.values[v].type, sharding, axes));
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
