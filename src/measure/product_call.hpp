#pragma once
// One product of whole matrices by a library with all cores, ready to be called.

#include <cstddef>
#include <functional>
#include <string>

#include "whole_product.hpp"

namespace meshmul::measure {

/// Row-major matrices.
struct Operands {
  const std::byte* a = nullptr;
  const std::byte* b = nullptr;
  std::byte* c = nullptr;
};

/// `library` is `openblas`, `blis` or `onednn`, and has a call for the dtype of `product`. Throws Error(kInvalidArgument) if not, and
/// Error(kMachine) if the library is not there.
std::function<void()> product_call(const std::string& library, const WholeProduct& product, const Operands& operands);

}  // namespace meshmul::measure
