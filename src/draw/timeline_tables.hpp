#pragma once
// Timelines in numbers, for whoever cannot see the picture, and for print.

#include <vector>

#include "draw/plan_data.hpp"
#include "meshmul/draw.hpp"

namespace meshmul::drawing {

/// Duration; what the critical path goes into; how busy each kind of lane is; each rank that is drawn. One column a
/// timeline, or rows for each.
std::vector<Table> timeline_tables(const Drawing& drawing);

}  // namespace meshmul::drawing
