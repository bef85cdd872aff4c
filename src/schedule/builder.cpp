#include "builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "buffers.hpp"
#include "capabilities.hpp"
#include "meshmul/error.hpp"

namespace meshmul {

std::string copy_lane(int number) { return fmt::format("copy{}", number); }

ScheduleBuilder::ScheduleBuilder(Mesh mesh) {
  if (mesh.num_devices() > kMaxRanks)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("the mesh {} has {} devices; schedules are written for at most {} ranks", mesh.str(),
                            mesh.num_devices(), kMaxRanks));
  schedule_.ranks.resize(static_cast<std::size_t>(mesh.num_devices()));
  schedule_.contract.mesh = std::move(mesh);
}

int ScheduleBuilder::add_buffer(const std::string& name, Dtype dtype, Shape shape) {
  const std::optional<int> released = take_released(dtype, shape);
  added_.push_back(released ? *released : meshmul::add_buffer(schedule_, name, dtype, std::move(shape)));
  return added_.back();
}

// The shortest of those that fit. A shape that differs in the first dimension alone keeps whole boxes contiguous.
std::optional<int> ScheduleBuilder::take_released(Dtype dtype, const Shape& shape) {
  const auto fits = [&](const BufferDecl& candidate) {
    return candidate.dtype == dtype && candidate.shape.size() == shape.size() &&
           (shape.empty() || (candidate.shape.front() >= shape.front() &&
                              std::equal(shape.begin() + 1, shape.end(), candidate.shape.begin() + 1)));
  };
  auto best = released_.end();
  for (auto it = released_.begin(); it != released_.end(); ++it)
    if (fits(buffer(*it)) && (best == released_.end() || buffer(*it).shape < buffer(*best).shape)) best = it;
  if (best == released_.end()) return std::nullopt;
  const int found = *best;
  released_.erase(best);
  return found;
}

void ScheduleBuilder::put(std::string_view lane, const Region& dst, const Region& src) {
  if (!dst.box.empty()) append(src.rank, lane, Put{dst, src, 0, std::nullopt});
}

void ScheduleBuilder::get(std::string_view lane, const Region& dst, const Region& src) {
  if (!dst.box.empty()) append(dst.rank, lane, Get{dst, src, 0, std::nullopt});
}

void ScheduleBuilder::copy(const Region& dst, const Region& src, std::vector<int> permutation) {
  if (!dst.box.empty()) append(dst.rank, kComputeLane, Copy{dst, src, std::move(permutation), std::nullopt});
}

void ScheduleBuilder::reduce(const Region& dst, const Region& src, std::vector<int> permutation) {
  if (!dst.box.empty()) append(dst.rank, kComputeLane, Reduce{dst, src, std::move(permutation), std::nullopt});
}

void ScheduleBuilder::gemm(const Region& c, const Region& a, const Region& b, std::string einsum, bool accumulate) {
  if (!c.box.empty()) append(c.rank, kComputeLane, Gemm{c, a, b, std::move(einsum), accumulate, std::nullopt});
}

void ScheduleBuilder::zero(const Region& dst) {
  if (!dst.box.empty()) append(dst.rank, kComputeLane, Map{dst, MapFunction::kZero, {}, std::nullopt});
}

void ScheduleBuilder::map(const Region& dst, MapFunction function, std::vector<Region> srcs, std::optional<int> along) {
  if (!dst.box.empty()) append(dst.rank, kComputeLane, Map{dst, function, std::move(srcs), std::nullopt, along});
}

void ScheduleBuilder::together(const std::function<void()>& steps) {
  const std::size_t first = steps_.size();
  steps();
  for (std::size_t i = first + 1; i < steps_.size(); ++i) steps_[i].with_previous = true;
}

void ScheduleBuilder::append(int rank, std::string_view lane, Op op) {
  steps_.push_back({rank, std::string(lane), std::move(op)});
}

Schedule ScheduleBuilder::finish(Contract contract) {
  schedule_.contract = std::move(contract);
  add_handshakes(schedule_, std::move(steps_));
  make_shared_buffers_symmetric(schedule_);
  schedule_.capabilities = required_capabilities(schedule_);
  return std::move(schedule_);
}

}  // namespace meshmul
