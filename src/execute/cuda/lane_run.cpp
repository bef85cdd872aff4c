#include "execute/cuda/lane_run.hpp"

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/lane_kernel.hpp"
#include "execute/cuda/table_image.hpp"

namespace meshmul::cuda {

LaneState::LaneState(int num_tasks, int num_lanes) : num_tasks_(num_tasks), num_lanes_(num_lanes) {
  const auto words = static_cast<std::size_t>(num_lanes + kMostMultiprocessors),
             halves = static_cast<std::size_t>(num_tasks) * 2;
  memory_ = DeviceMemory(words * sizeof(std::uint64_t) + halves * sizeof(std::uint32_t));
  check(cudaMemset(memory_.data(), 0, memory_.num_bytes()), "clearing counters");
}

std::uint32_t* LaneState::taken() const { return reinterpret_cast<std::uint32_t*>(present() + kMostMultiprocessors); }

LaneRun::LaneRun(const LaneTables& tables, const LaneState& state, const std::uint64_t* epoch, DeviceOpTimes* times,
                 const WaitControl& control, int num_blocks, bool one_each)
    : num_blocks_(num_blocks), one_each_(one_each) {
  TableImage image;
  const std::size_t lanes_at = image.add(tables.lanes), tasks_at = image.add(tables.tasks),
                    waits_at = image.add(tables.waits), raises_at = image.add(tables.raises),
                    rows_at = image.add(tables.rows), element_rows_at = image.add(tables.element_rows),
                    loops_at = image.add(tables.loops), products_at = image.add(tables.products);
  tables_ = DeviceMemory(image.bytes().size());
  if (!image.bytes().empty())
    check(cudaMemcpy(tables_.data(), image.bytes().data(), image.bytes().size(), cudaMemcpyHostToDevice),
          "writing the tasks of lanes");
  const std::byte* const device = tables_.data();
  work_.lanes = reinterpret_cast<const TaskLane*>(device + lanes_at);
  work_.tasks = reinterpret_cast<const LaneTask*>(device + tasks_at);
  work_.waits = reinterpret_cast<const SignalWait*>(device + waits_at);
  work_.raises = reinterpret_cast<const SignalRaise*>(device + raises_at);
  work_.rows = reinterpret_cast<const RowCopy*>(device + rows_at);
  work_.element_rows = reinterpret_cast<const ElementRows*>(device + element_rows_at);
  work_.loops = reinterpret_cast<const ElementLoops*>(device + loops_at);
  work_.products = reinterpret_cast<const FlatProduct*>(device + products_at);
  work_.taken = state.taken();
  work_.finished = state.finished();
  work_.done = state.done(0);
  work_.present = state.present();
  work_.epoch = epoch;
  work_.times = times;
  work_.control = control;
  work_.num_lanes = static_cast<std::int32_t>(tables.lanes.size());
}

void LaneRun::launch(cudaStream_t stream) const {
  if (work_.num_lanes > 0) launch_lanes(work_, num_blocks_, one_each_, stream);
}

}  // namespace meshmul::cuda
