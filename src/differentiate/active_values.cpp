#include "differentiate/active_values.hpp"

#include <algorithm>

#include "notation/dependence.hpp"

namespace meshmul {

std::vector<bool> active_values(const Program& program, const GradStatement& grad) {
  std::vector<bool> active = notation::origins(program, grad.of);
  for (ValueId value = 0; value < static_cast<ValueId>(program.values.size()); ++value) {
    const auto at = static_cast<std::size_t>(value);
    if (!active[at]) continue;
    const std::vector<bool> origins = notation::origins(program, value);
    const bool depends = std::any_of(grad.with_respect_to.begin(), grad.with_respect_to.end(),
                                     [&](ValueId given) { return origins[static_cast<std::size_t>(given)]; });
    active[at] = depends && accumulator_of(program.value(value).type.dtype) != Dtype::kI32;
  }
  return active;
}

}  // namespace meshmul
