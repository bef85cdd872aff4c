#include "plan/state_space.hpp"

#include <numeric>
#include <utility>

#include "meshmul/dtype.hpp"

namespace meshmul {

Extents::Extents(std::int64_t size, const AxisNumbering& axes) {
  for (unsigned cut = 0; cut <= axes.all(); ++cut) {
    const std::int64_t blocks = axes.size(cut);
    extents_[cut] = static_cast<double>((size + blocks - 1) / blocks);
  }
}

StateSpace::StateSpace(const ArrayType& array, ElementType element_type, AxisSet may_be_unreduced,
                       const AxisNumbering& axes, std::vector<std::size_t> last_order)
    : array_(array),
      element_type_(element_type),
      axes_(axes),
      order_(array.dims.size()),
      last_order_(std::move(last_order)),
      states_(all_shardings(array.num_dims(), axes.all(), may_be_unreduced)),
      numbers_(states_),
      extents_(extents(array, axes)),
      bytes_(all_bytes()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (last_order_.empty()) last_order_ = order_;
}

std::vector<Extents> StateSpace::extents(const ArrayType& array, const AxisNumbering& axes) {
  std::vector<Extents> extents;
  for (const Dim& dim : array.dims) extents.emplace_back(dim.size, axes);
  return extents;
}

std::vector<double> StateSpace::all_bytes() const {
  std::vector<double> bytes;
  for (const PackedSharding& state : states_) {
    double elements = 1;
    for (std::size_t dim = 0; dim < extents_.size(); ++dim) elements *= extents_[dim][state.dims[dim].set()];
    bytes.push_back(elements * static_cast<double>(size_bytes(element_type_.of(state))));
  }
  return bytes;
}

std::vector<int> StateSpace::complete_states() const {
  std::vector<int> complete;
  for (int state = 0; state < size(); ++state)
    if (sharding(state).unreduced == 0) complete.push_back(state);
  return complete;
}

ArrayType StateSpace::type(int state) const {
  ArrayType type = array_;
  type.dtype = dtype(state);
  type.sharding = axes_.unpack(sharding(state), array_.num_dims());
  type.open = false;
  return type;
}

}  // namespace meshmul
