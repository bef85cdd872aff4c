#pragma once
// The choice of a local product library, for a CPU that tests may make up.

#include <memory>
#include <string_view>

#include "cpu_features.hpp"
#include "kernels.hpp"

namespace meshmul {

/// As make_local_products(name), for a CPU of which only `cpu` may be used.
std::unique_ptr<LocalProductLibrary> make_local_products(std::string_view name, const CpuFeatures& cpu);

}  // namespace meshmul
