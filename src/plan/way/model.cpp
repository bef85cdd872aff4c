#include "plan/way/model.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "plan/way/single_move.hpp"

namespace meshmul {

/// Elements of the largest block of each index.
class WayModel::Extents {
 public:
  Extents(const WaySizes& sizes, Blocks blocks) : sizes_(sizes), blocks_(blocks) {}

  double elements(const std::vector<CutIndex>& dims) const {
    double elements = 1;
    for (const auto& [index, cut] : dims) {
      double num_blocks = 1;
      for (std::size_t axis = 0; axis < sizes_.axes.size(); ++axis)
        if ((cut >> axis & 1U) != 0) num_blocks *= sizes_.axes[axis];
      const double block = sizes_.indices[index] / num_blocks;
      elements *= blocks_ == Blocks::kWhole ? std::ceil(block) : block;
    }
    return elements;
  }
  double bytes(const ArrayModel& array) const { return elements(array.dims) * array.element_bytes; }

 private:
  const WaySizes& sizes_;
  Blocks blocks_;
};

WayModel::WayModel(const Way& way, const AxisNumbering& axes, const Machine& machine) : axes_(axes) {
  sizes_.axes.assign(axes.sizes().begin(), axes.sizes().end());
  for (const Statement& step : way.steps) {
    if (const auto* product = std::get_if<Product>(&step))
      steps_.emplace_back(product_model(*product, machine));
    else
      steps_.emplace_back(move_model(*inputs(step).front(), output(step)));
  }
}

std::optional<std::size_t> WayModel::find(std::string_view index) const {
  const auto found = std::find(names_.begin(), names_.end(), index);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

std::vector<StepCost> WayModel::costs(const WaySizes& sizes, Blocks blocks, const CostModel& cost) const {
  const Extents extents(sizes, blocks);
  std::vector<StepCost> costs;
  for (const auto& step : steps_) {
    if (const auto* move = std::get_if<MoveModel>(&step)) {
      const double payload = payload_bytes(move->move.kind, extents.bytes(move->from), extents.bytes(move->to));
      costs.push_back(cost.move(move->move.kind, move->move.travelled, payload));
      continue;
    }
    const auto& product = std::get<ProductModel>(step);
    ProductRates rates = product.rates;
    if (blocks == Blocks::kFractional) rates.matrix_unit = 0;
    const ProductSize size{extents.elements(product.batch), extents.elements(product.left),
                           extents.elements(product.right), extents.elements(product.contracted)};
    costs.push_back(
        product_cost(rates, size, extents.bytes(product.a) + extents.bytes(product.b) + extents.bytes(product.c)));
  }
  return costs;
}

WayTimes WayModel::times(const std::vector<StepCost>& costs) const {
  WayTimes times;
  for (std::size_t step = 0; step < costs.size(); ++step)
    (std::holds_alternative<ProductModel>(steps_[step]) ? times.products : times.moves) += costs[step].seconds;
  return times;
}

const Transition& WayModel::move(std::size_t step) const { return std::get<MoveModel>(steps_[step]).move; }

/// Dimensions without an index are all different.
std::size_t WayModel::number(const Dim& dim) {
  if (!dim.index.empty())
    if (const auto known = find(dim.index)) return *known;
  names_.push_back(dim.index);
  sizes_.indices.push_back(static_cast<double>(dim.size));
  return names_.size() - 1;
}

WayModel::ArrayModel WayModel::array_model(const ArrayType& type) {
  const PackedSharding packed = axes_.pack(type.sharding);
  ArrayModel model{{}, static_cast<double>(size_bytes(type.dtype))};
  for (std::size_t d = 0; d < type.dims.size(); ++d) model.dims.push_back({number(type.dims[d]), packed.dims[d].set()});
  return model;
}

WayModel::MoveModel WayModel::move_model(const ArrayType& from, const ArrayType& to) {
  const std::optional<Transition> move = single_move(from, to, axes_);
  assert(move);
  return {*move, array_model(from), array_model(to)};
}

WayModel::ProductModel WayModel::product_model(const Product& product, const Machine& machine) {
  ProductModel model{array_model(product.a),
                     array_model(product.b),
                     array_model(product.c),
                     {},
                     {},
                     {},
                     {},
                     {machine.hardware, machine.cost, product.a.dtype}};
  const IndexRoles roles = index_roles(product);
  const auto cut = [&](const std::vector<std::string>& indices, const ArrayModel& array) {
    std::vector<CutIndex> found;
    for (const CutIndex& dim : array.dims)
      if (std::find(indices.begin(), indices.end(), names_[dim.index]) != indices.end()) found.push_back(dim);
    return found;
  };
  model.batch = cut(roles.batch, model.a);
  model.left = cut(roles.left, model.a);
  model.right = cut(roles.right, model.b);
  model.contracted = cut(roles.contracted, model.a);
  return model;
}

}  // namespace meshmul
