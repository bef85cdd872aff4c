#pragma once
// A region of a schedule as memory of the session that runs it.

#include "meshmul/execute.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

inline View view_of(Session& session, const Schedule& schedule, const Region& region) {
  const BufferDecl& buffer = schedule.buffers[static_cast<std::size_t>(region.buffer)];
  return view_of(session.buffer(region.rank, region.buffer).data(), buffer.dtype, buffer.shape, region.box);
}

}  // namespace meshmul
