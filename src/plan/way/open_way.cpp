#include "plan/way/open_way.hpp"

namespace meshmul {
namespace {

/// Any size will do for `index`.
Way with_some_size(Way way, const std::string& index) {
  for (Statement& step : way.steps) {
    std::vector<ArrayType*> arrays = inputs(step);
    arrays.push_back(&output(step));
    for (ArrayType* array : arrays)
      for (Dim& dim : array->dims)
        if (dim.index == index) dim.size = 1;
    check_sizes(step);
  }
  return way;
}

}  // namespace

OpenWay::OpenWay(const Way& way, const std::string& index, const Mesh& mesh, const Hardware& hardware)
    : axes_(mesh),
      cost_(axes_, book_machine(mesh, hardware)),
      model_(with_some_size(way, index), axes_, book_machine(mesh, hardware)),
      index_(model_.find(index)) {
  check_fits(mesh, hardware);
}

OpenWay::Times OpenWay::at(double size, Blocks blocks) const {
  WaySizes sizes = model_.sizes();
  if (index_) sizes.indices[*index_] = size;
  Times times;
  for (const StepCost& cost : model_.costs(sizes, blocks, cost_)) {
    const bool is_product = cost.bound == Bound::kCompute || cost.bound == Bound::kMemory;
    (is_product ? times.products : times.moves) += cost.seconds;
    times.bounds.push_back(static_cast<int>(cost.bound));
  }
  return times;
}

}  // namespace meshmul
