#include "local_products.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"
#include "onednn_kernel.hpp"
#include "reference_products.hpp"
#include "tuned_products.hpp"

namespace meshmul {

std::unique_ptr<LocalProductLibrary> make_local_products(std::string_view name, const CpuFeatures& cpu) {
  if (name == "reference") return std::make_unique<ReferenceProducts>();
  if (name == "openblas") return std::make_unique<TunedProducts>(cpu, /*use_onednn=*/false);
  if (name.empty()) return std::make_unique<TunedProducts>(cpu, /*use_onednn=*/true);
  if (name == "onednn") {
    if (!built_with_onednn())
      throw Error(ErrorCode::kUnsupported, "local product library 'onednn' was not there when meshmul was built");
    if (!onednn_multiplies(Dtype::kBf16, cpu) && !onednn_multiplies(Dtype::kI8, cpu))
      throw Error(
          ErrorCode::kUnsupported,
          "local product library 'onednn' needs a CPU with AVX-512 BF16 for bf16 or VNNI for i8, and this one has "
          "neither; 'openblas' runs everywhere");
    return std::make_unique<TunedProducts>(cpu, /*use_onednn=*/true);
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("local product library '{}' is unknown; there are reference, openblas and onednn", name));
}

std::unique_ptr<LocalProductLibrary> make_local_products(std::string_view name) {
  return make_local_products(name, cpu_features());
}

}  // namespace meshmul
