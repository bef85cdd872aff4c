#include "local_map.hpp"

#include <optional>

#include "dimension_order.hpp"
#include "notation/dim_of.hpp"

namespace meshmul {
namespace {

// A source with fewer dimensions than the result has at most one: the second of bias and scale.
bool is_spread(const PlacedArray& source, const PlacedArray& result) {
  return source.type.num_dims() != result.type.num_dims();
}

}  // namespace

void local_map(ScheduleBuilder& builder, MapFunction function, const std::vector<PlacedArray>& sources,
               const PlacedArray& result) {
  if (function == MapFunction::kConvert) {
    const DimensionOrder order(result.type, sources[0].type);
    for (int rank = 0; rank < builder.num_ranks(); ++rank)
      builder.copy(result.region(rank), sources[0].region(rank, order.in_source(result.held(rank))),
                   order.permutation());
    return;
  }
  std::optional<int> along;
  for (const PlacedArray& source : sources)
    if (is_spread(source, result) && source.type.num_dims() == 1)
      along = dim_of(result.type, source.type.dims[0].index);
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    const Box& part = result.held(rank);
    std::vector<Region> regions;
    for (const PlacedArray& source : sources) {
      const Box of_source = !is_spread(source, result) ? part : along ? Box{part[*along]} : Box{};
      regions.push_back(source.region(rank, of_source));
    }
    builder.map(result.region(rank), function, std::move(regions), along);
  }
}

}  // namespace meshmul
