#include "plan/search.hpp"

#include <algorithm>
#include <limits>

#include "plan/product_space.hpp"

namespace meshmul {

std::vector<double> rising_limits(double least_seconds) {
  constexpr double kStep = 1.25;
  constexpr int kSteps = 4;
  std::vector<double> limits;
  double limit = least_seconds;
  for (int step = 0; step < kSteps && least_seconds > 0; ++step) limits.push_back(limit *= kStep);
  limits.push_back(std::numeric_limits<double>::infinity());
  return limits;
}

SearchOptions search_options(const Hardware& hardware, const PlanOptions& options) {
  SearchOptions search;
  search.max_rejected = static_cast<std::size_t>(std::max(options.max_rejected, 0));
  search.overlapped = options.overlapped;
  if (const auto limit = options.memory_bytes ? options.memory_bytes : hardware.chip.memory_bytes)
    search.memory_limit = static_cast<double>(*limit);
  return search;
}

StatementSearch::StatementSearch(const Statement& statement, const Mesh& mesh, const Machine& any,
                                 std::optional<Dtype> wire_dtype)
    : statement_(statement), axes_(mesh) {
  if (const auto* product = std::get_if<Product>(&statement))
    product_ = std::make_unique<const ProductSpace>(*product, axes_,
                                                    ProductRates(any.hardware, any.cost, product->a.dtype), wire_dtype);
}

StatementSearch::~StatementSearch() = default;

std::unique_ptr<const MachineSearch> StatementSearch::on(const Machine& machine) const {
  if (product_) return product_search(*product_, machine);
  if (const auto* reshard = std::get_if<Reshard>(&statement_)) return reshard_search(*reshard, axes_, machine);
  return collective_search(std::get<Collective>(statement_), axes_, machine);
}

}  // namespace meshmul
