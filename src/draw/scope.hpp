#pragma once
// What of a drawing is drawn: which ranks, which timelines; and the checks that its parts belong together.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "meshmul/draw.hpp"

namespace meshmul::drawing {

/// Throws Error(kInvalidArgument) if there is nothing to draw, if a timeline has no schedule or is not of it, or if `ranks`
/// are not among those of the mesh.
void check(const Drawing& drawing);

/// Of the schedule or plan.
const Mesh& mesh_of(const Drawing& drawing);

/// Those that there are, the predicted one first.
std::vector<const Timeline*> timelines(const Drawing& drawing);

/// The ranks to draw.
RankRange ranks(const Drawing& drawing);

/// A lane of a rank that is drawn, and the ops in front of its own in the order of the schedule: the number of its first
/// span.
struct DrawnLane {
  int rank = 0;
  int number = 0;
  const Lane* lane = nullptr;
  std::size_t first_span = 0;
};
std::vector<DrawnLane> drawn_lanes(const Drawing& drawing);

/// By number of the span: whether its rank is drawn.
std::vector<bool> drawn_spans(const Drawing& drawing);

/// By number of the span: what `line_of` says of its op.
std::vector<std::int64_t> lines(const Schedule& schedule);

/// `rank 5 (X=1, Y=1)`; `rank 0` on the mesh without axes.
std::string rank_title(const Mesh& mesh, int rank);

}  // namespace meshmul::drawing
