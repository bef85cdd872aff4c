// The local product libraries by name.

#include <fmt/format.h>

#include "kernels.hpp"
#include "meshmul/error.hpp"
#include "reference_products.hpp"

namespace meshmul {

std::unique_ptr<LocalProductLibrary> make_local_products(std::string_view name) {
  if (name.empty() || name == "reference") return std::make_unique<ReferenceProducts>();
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("local product library '{}' is unknown; this build has: reference", name));
}

}  // namespace meshmul
