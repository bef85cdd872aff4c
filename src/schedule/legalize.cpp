// Runs the rewrites that a backend needs, in an order in which each leaves work only for those behind it.

#include "capabilities.hpp"
#include "legalize/draft.hpp"
#include "legalize/passes.hpp"
#include "meshmul/lower.hpp"

namespace meshmul {

Schedule legalize(const Schedule& schedule, const Capabilities& available) {
  const Capabilities required = required_capabilities(schedule);
  const bool has_get = available.get || !required.get;
  const bool has_addressable = available.addressable || !required.addressable;
  const bool has_strided = available.strided || !required.strided;
  const bool keeps_ops = has_get && has_addressable && has_strided;
  if (keeps_ops && (available.barrier || !required.barrier)) {
    Schedule legal = schedule;
    legal.capabilities = required;
    return legal;
  }
  Draft draft(schedule);
  if (!has_addressable) keep_touches_local(draft);
  serve_gets(draft, available);
  if (!available.strided) pack_strided(draft);
  // Rewritten ops may touch a peer's memory before it has begun its run, whether or not the given ones did.
  if (!available.barrier) keep_runs_apart(draft);
  draft.require_barrier(available.barrier);
  return draft.build();
}

}  // namespace meshmul
