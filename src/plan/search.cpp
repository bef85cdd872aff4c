#include "plan/search.hpp"

#include <algorithm>

namespace meshmul {

SearchOptions search_options(const Hardware& hardware, const PlanOptions& options) {
  SearchOptions search;
  search.max_rejected = static_cast<std::size_t>(std::max(options.max_rejected, 0));
  search.overlapped = options.overlapped;
  search.wire_dtype = options.wire_dtype;
  if (const auto limit = options.memory_bytes ? options.memory_bytes : hardware.chip.memory_bytes)
    search.memory_limit = static_cast<double>(*limit);
  return search;
}

SearchResult search(const Statement& statement, const Mesh& mesh, const Machine& machine,
                    const SearchOptions& options) {
  if (const auto* product = std::get_if<Product>(&statement)) return search_product(*product, mesh, machine, options);
  if (const auto* reshard = std::get_if<Reshard>(&statement)) return search_reshard(*reshard, mesh, machine, options);
  return price_collective(std::get<Collective>(statement), mesh, machine, options);
}

}  // namespace meshmul
