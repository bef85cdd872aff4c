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

OpenWay::OpenWay(const Way& way, const std::string& index, const Mesh& mesh, const Hardware& hardware,
                 const PlanOptions& options)
    : OpenWay(way, index, mesh, machines(mesh, hardware, options), options.overlapped) {}

OpenWay::OpenWay(const Way& way, const std::string& index, const Mesh& mesh, const std::vector<Machine>& machines,
                 bool overlapped)
    : axes_(mesh),
      overlapped_(overlapped),
      model_(with_some_size(way, index), axes_, machines.front()),
      index_(model_.find(index)) {
  for (const Machine& machine : machines) costs_.emplace_back(axes_, machine);
}

OpenWay::Point OpenWay::at(double size, Blocks blocks) const {
  WaySizes sizes = model_.sizes();
  if (index_) sizes.indices[*index_] = size;
  Point best;
  for (std::size_t mapping = 0; mapping < costs_.size(); ++mapping) {
    const std::vector<StepCost> costs = model_.costs(sizes, blocks, costs_[mapping]);
    const WayTimes times = model_.times(costs);
    if (mapping > 0 && times.seconds(overlapped_) >= best.times.seconds(overlapped_)) continue;
    best = {times, {static_cast<int>(mapping)}};
    for (const StepCost& cost : costs) best.branches.push_back(static_cast<int>(cost.bound));
  }
  return best;
}

}  // namespace meshmul
