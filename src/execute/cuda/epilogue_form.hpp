#pragma once
// A planned epilogue as steps that the product kernel does, over addresses of device memory.

#include <functional>
#include <optional>
#include <vector>

#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/planned_epilogue.hpp"
#include "execute/cuda/product_form.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// Where a region lies.
using ViewOf = std::function<View(const Region&)>;

/// The steps behind a product that writes to the result of `planned`, of which `form` is the form; without waits.
/// Nothing if the result is not rows and columns as the product has them, columns together, or if an operand has neither
/// their extents nor one row, column or element of them.
std::optional<std::vector<EpilogueStep>> epilogue_form(const ProductForm& form, const ViewOf& view_of,
                                                       const PlannedEpilogue& planned);

}  // namespace meshmul::cuda
