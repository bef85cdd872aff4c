#pragma once
// The steps of a plan as schedules of their own: each done where its arrays lie, with nothing beside it.

#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul::measure {

/// Each rank multiplies its shards in one call, and nothing moves.
Schedule product_alone(const LocalProduct& product, const Mesh& mesh);

/// Each rank applies `function` to its shards of the sources, which lie as the result does.
Schedule map_alone(MapFunction function, const std::vector<ArrayType>& sources, const ArrayType& result,
                   const Mesh& mesh);

}  // namespace meshmul::measure
