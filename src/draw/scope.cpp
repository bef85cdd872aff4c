#include "draw/scope.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"
#include "schedule/op_count.hpp"

namespace meshmul::drawing {
namespace {

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

void check_timeline(const Timeline& timeline, const Schedule& schedule) {
  const std::string_view which = timeline.measured ? "measured" : "predicted";
  if (std::ssize(timeline.spans) != num_ops(schedule))
    fail(fmt::format("the {} timeline has {} spans, its schedule {} ops; expected one span an op", which,
                     timeline.spans.size(), num_ops(schedule)));
}

}  // namespace

void check(const Drawing& drawing) {
  if (drawing.schedule == nullptr && drawing.plan == nullptr && drawing.program_plan == nullptr)
    fail("there is nothing to draw: expected a plan or a schedule");
  for (const Timeline* timeline : timelines(drawing)) {
    if (drawing.schedule == nullptr) fail("a timeline is drawn with its schedule, and none is given");
    check_timeline(*timeline, *drawing.schedule);
  }
  const int num_ranks = mesh_of(drawing).num_devices();
  const RankRange range = ranks(drawing);
  if (range.first < 0 || range.last >= num_ranks || range.size() < 1)
    fail(fmt::format("ranks {} to {} were asked for, and there are ranks 0 to {}", range.first, range.last,
                     num_ranks - 1));
}

const Mesh& mesh_of(const Drawing& drawing) {
  if (drawing.schedule != nullptr) return drawing.schedule->contract.mesh;
  return drawing.plan != nullptr ? drawing.plan->mesh : drawing.program_plan->mesh;
}

std::vector<const Timeline*> timelines(const Drawing& drawing) {
  std::vector<const Timeline*> given;
  for (const Timeline* timeline : {drawing.predicted, drawing.measured})
    if (timeline != nullptr) given.push_back(timeline);
  return given;
}

RankRange ranks(const Drawing& drawing) {
  return drawing.ranks.value_or(RankRange{0, mesh_of(drawing).num_devices() - 1});
}

std::vector<DrawnLane> drawn_lanes(const Drawing& drawing) {
  std::vector<DrawnLane> drawn;
  if (drawing.schedule == nullptr) return drawn;
  const RankRange range = ranks(drawing);
  std::size_t first_span = 0;
  for (int rank = 0; rank < drawing.schedule->num_ranks(); ++rank) {
    int number = 0;
    for (const Lane& lane : drawing.schedule->ranks[static_cast<std::size_t>(rank)].lanes) {
      if (range.contains(rank)) drawn.push_back({rank, number, &lane, first_span});
      first_span += lane.ops.size();
      ++number;
    }
  }
  return drawn;
}

std::vector<bool> drawn_spans(const Drawing& drawing) {
  std::vector<bool> drawn(drawing.schedule == nullptr ? 0 : static_cast<std::size_t>(num_ops(*drawing.schedule)));
  for (const DrawnLane& lane : drawn_lanes(drawing))
    for (std::size_t op = 0; op < lane.lane->ops.size(); ++op) drawn[lane.first_span + op] = true;
  return drawn;
}

std::vector<std::int64_t> lines(const Schedule& schedule) {
  std::vector<std::int64_t> lines;
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    int number = 0;
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes) {
      // Asking for each op would walk over all lanes each time.
      const bool was_read = lane.lines.size() == lane.ops.size();
      const std::int64_t first = was_read ? 0 : line_of(schedule, {rank, number, 0});
      for (std::size_t op = 0; op < lane.ops.size(); ++op)
        lines.push_back(was_read ? lane.lines[op] : first + static_cast<std::int64_t>(op));
      ++number;
    }
  }
  return lines;
}

std::string rank_title(const Mesh& mesh, int rank) {
  std::string coordinates;
  for (int axis = 0; axis < mesh.num_axes(); ++axis)
    coordinates += fmt::format("{}{}={}", axis == 0 ? "" : ", ", mesh.name(axis), mesh.coordinate(rank, axis));
  return coordinates.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} ({})", rank, coordinates);
}

}  // namespace meshmul::drawing
