#include "builder.hpp"

#include <algorithm>
#include <utility>

#include "capabilities.hpp"
#include "effects.hpp"

namespace meshmul {
namespace {

void make_symmetric(Schedule& schedule, const Region& region) {
  schedule.buffers[static_cast<std::size_t>(region.buffer)].symmetric = true;
}

}  // namespace

ScheduleBuilder::ScheduleBuilder(Mesh mesh) {
  schedule_.ranks.resize(static_cast<std::size_t>(mesh.num_devices()));
  schedule_.contract.mesh = std::move(mesh);
}

int ScheduleBuilder::add_buffer(const std::string& name, Dtype dtype, Shape shape) {
  const auto is_taken = [this](const std::string& candidate) {
    return std::any_of(schedule_.buffers.begin(), schedule_.buffers.end(),
                       [&](const BufferDecl& buffer) { return buffer.name == candidate; });
  };
  std::string free_name = name;
  for (int number = 2; is_taken(free_name); ++number) free_name = name + std::to_string(number);
  schedule_.buffers.push_back({std::move(free_name), dtype, std::move(shape), false});
  return static_cast<int>(schedule_.buffers.size()) - 1;
}

void ScheduleBuilder::put(std::string_view lane, const Region& dst, const Region& src) {
  if (!dst.box.empty()) append(src.rank, lane, Put{dst, src, 0, std::nullopt});
}

void ScheduleBuilder::get(std::string_view lane, const Region& dst, const Region& src) {
  if (!dst.box.empty()) append(dst.rank, lane, Get{dst, src, 0, std::nullopt});
}

void ScheduleBuilder::copy(const Region& dst, const Region& src, std::vector<int> permutation) {
  if (!dst.box.empty()) append(dst.rank, kCompute, Copy{dst, src, std::move(permutation), std::nullopt});
}

void ScheduleBuilder::reduce(const Region& dst, const Region& src, std::vector<int> permutation) {
  if (!dst.box.empty()) append(dst.rank, kCompute, Reduce{dst, src, std::move(permutation), std::nullopt});
}

void ScheduleBuilder::gemm(const Region& c, const Region& a, const Region& b, std::string einsum, bool accumulate) {
  if (!c.box.empty()) append(c.rank, kCompute, Gemm{c, a, b, std::move(einsum), accumulate, std::nullopt});
}

void ScheduleBuilder::zero(const Region& dst) {
  if (!dst.box.empty()) append(dst.rank, kCompute, Map{dst, MapFunction::kZero, {}, std::nullopt});
}

void ScheduleBuilder::append(int rank, std::string_view lane, Op op) {
  steps_.push_back({rank, std::string(lane), std::move(op)});
}

Schedule ScheduleBuilder::finish(Contract contract) {
  schedule_.contract = std::move(contract);
  for (const Holding& holding : schedule_.contract.inputs) make_symmetric(schedule_, holding.region);
  for (const Holding& holding : schedule_.contract.outputs) make_symmetric(schedule_, holding.region);
  for (const LaneOp& step : steps_) {
    const Effects effects = effects_of(step.op, step.rank);
    for (const auto* regions : {&effects.reads, &effects.writes})
      for (const Region& region : *regions)
        if (region.rank != step.rank) make_symmetric(schedule_, region);
  }
  add_handshakes(schedule_, std::move(steps_));
  schedule_.capabilities = required_capabilities(schedule_);
  return std::move(schedule_);
}

}  // namespace meshmul
