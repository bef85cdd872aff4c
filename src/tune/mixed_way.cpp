#include "mixed_way.hpp"

#include <algorithm>
#include <utility>

#include "plan/program/tasks.hpp"
#include "sides.hpp"
#include "ways.hpp"

namespace meshmul {

LowerOptions own_way(const LowerOptions& all, const std::vector<ProgramStep>& steps, const Mesh& mesh) {
  LowerOptions own = all;
  if (own.algorithm == Algorithm::kAutomatic) own.algorithm = Algorithm::kDirect;
  const Sides sides = overlapped_sides({steps}, own.overlap, mesh);
  if (!sides.gather) own.overlap.gather = Design::kSequential;
  if (!sides.reduce) own.overlap.reduce = Design::kSequential;
  if (!own.overlap.any()) own.overlap = {};
  return own;
}

std::vector<OpenPart> open_parts(const ProgramPlan& plan, const LowerOptions& all, const Hardware& hardware,
                                 const Capabilities& available) {
  std::vector<OpenPart> open;
  for (std::size_t i = 0; i < plan.best.parts.size(); ++i) {
    const PlannedPart& part = plan.best.parts[i];
    if (part.kind != PartKind::kStatement || part.steps.empty()) continue;
    std::vector<LowerOptions> ways = ways_to_build({part.steps}, plan.mesh, hardware, available);
    if (ways.size() < 2) continue;
    const Value& made = plan.best.program.value(result_of(part, plan.best.program));
    open.push_back({{static_cast<int>(i), made.type.name, own_way(all, part.steps, plan.mesh)}, std::move(ways)});
  }
  return open;
}

ProgramWay way_of(const LowerOptions& all, const std::vector<OpenPart>& parts) {
  std::vector<PartWay> own;
  for (const OpenPart& open : parts) own.push_back(open.part);
  return {all, std::move(own)};
}

ProgramCandidate improved(const ProgramCandidate& start, std::vector<OpenPart> parts, const Price& price) {
  ProgramCandidate best = start;
  for (bool helped = true; helped;) {
    helped = false;
    for (OpenPart& open : parts) {
      LowerOptions fastest = open.part.lower;
      for (const LowerOptions& way : open.ways) {
        if (way == fastest) continue;
        open.part.lower = way;
        const std::optional<ProgramCandidate> found = price(way_of(start.lower.rest, parts));
        if (!found || found->makespan_ps >= best.makespan_ps) continue;
        best = *found;
        fastest = way;
        helped = true;
      }
      open.part.lower = fastest;
    }
  }
  return best;
}

}  // namespace meshmul
