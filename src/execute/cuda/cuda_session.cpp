#include "execute/cuda/cuda_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "execute/checked_schedule.hpp"
#include "execute/cpu/poison.hpp"
#include "execute/cuda/current_device.hpp"
#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_timeline.hpp"

namespace meshmul::cuda {

CudaSession::CudaSession(Schedule schedule, ExecuteOptions options, std::vector<int> devices)
    : schedule_(checked(std::move(schedule))),
      options_(std::move(options)),
      devices_(std::move(devices)),
      words_(schedule_),
      expired_(sizeof(ExpiredWait)) {
  control_.expired = reinterpret_cast<ExpiredWait*>(expired_.data());
  control_.budget_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(options_.deadline).count());
  build();
}

CudaSession::~CudaSession() {
  // Whoever still waits does so no more, so that the streams come to their ends.
  try {
    if (streams_) program_->abort(*streams_);
  } catch (const Error&) {
    // The device is lost; so is all that it did.
  }
  const std::set<int> distinct(devices_.begin(), devices_.end());
  for (const int device : distinct) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
  }
}

void CudaSession::build() {
  *control_.expired = {};
  memory_ = std::make_unique<WorldMemory>(schedule_, devices_);
  program_ = std::make_unique<DeviceProgram>(schedule_, *memory_, words_, control_, options_.record);
  streams_ = std::make_unique<Streams>(program_->stream_layout());
  runs_ = 0;
  failure_.reset();
  if (!options_.poison) return;
  std::set<std::pair<int, int>> inputs;
  for (const Holding& holding : schedule_.contract.inputs) inputs.emplace(holding.region.rank, holding.region.buffer);
  for (int rank = 0; rank < schedule_.num_ranks(); ++rank) {
    const CurrentDevice current(memory_->device(rank));
    for (int buffer = 0; buffer < static_cast<int>(schedule_.buffers.size()); ++buffer) {
      if (inputs.contains({rank, buffer})) continue;
      const BufferDecl& decl = schedule_.buffers[static_cast<std::size_t>(buffer)];
      check(cudaMemset(memory_->buffer(rank, buffer), std::to_integer<int>(poison_of(decl.dtype)),
                       static_cast<std::size_t>(decl.num_bytes())),
            "poisoning a buffer");
    }
    check(cudaDeviceSynchronize(), "poisoning buffers");
  }
}

std::span<std::byte> CudaSession::buffer(int rank, int buffer) {
  const BufferDecl& decl = schedule_.buffers[static_cast<std::size_t>(buffer)];
  if (!decl.symmetric || memory_ == nullptr) return {};
  Mirror& mirror = mirrors_[{rank, buffer}];
  const auto num_bytes = static_cast<std::size_t>(decl.num_bytes());
  if (mirror.memory.num_bytes() != num_bytes) mirror.memory = PinnedMemory(num_bytes);
  if (!mirror.current && !failure_ && num_bytes > 0) {
    const CurrentDevice current(memory_->device(rank));
    check(cudaMemcpy(mirror.memory.data(), memory_->buffer(rank, buffer), num_bytes, cudaMemcpyDeviceToHost),
          "reading a buffer");
  }
  mirror.current = true;
  mirror.handed_out = true;
  return {mirror.memory.data(), num_bytes};
}

std::byte* CudaSession::device_buffer(int rank, int buffer) {
  if (!schedule_.buffers[static_cast<std::size_t>(buffer)].symmetric || memory_ == nullptr) return nullptr;
  // Whoever asks may write there.
  if (const auto mirror = mirrors_.find({rank, buffer}); mirror != mirrors_.end()) mirror->second.current = false;
  return memory_->buffer(rank, buffer);
}

void CudaSession::write_mirrors() {
  for (auto& [place, mirror] : mirrors_) {
    if (mirror.handed_out && mirror.memory.num_bytes() > 0) {
      const CurrentDevice current(memory_->device(place.first));
      check(cudaMemcpy(memory_->buffer(place.first, place.second), mirror.memory.data(), mirror.memory.num_bytes(),
                       cudaMemcpyHostToDevice),
            "writing a buffer");
    }
    mirror.handed_out = false;
    mirror.current = false;
  }
}

RunReport CudaSession::run(std::int64_t times) {
  check_times(schedule_, times);
  if (failure_) throw Error(*failure_);
  try {
    write_mirrors();
    streams_->note_begin();
    for (std::int64_t i = 0; i < times; ++i) program_->enqueue(*streams_);
    streams_->note_end();
    wait_for_end();
  } catch (const Error& error) {
    failure_ = error;
    throw;
  }
  runs_ += static_cast<std::uint64_t>(times);
  RunReport report;
  report.seconds = streams_->seconds();
  report.peak_bytes.assign(static_cast<std::size_t>(schedule_.num_ranks()), memory_->bytes_per_rank());
  report.kernels = "own kernels";
  if (program_->num_absorbed_ops() > 0)
    report.kernels += fmt::format("; {} other ops within products", program_->num_absorbed_ops());
  if (program_->num_plain_products() > 0)
    report.kernels += fmt::format("; {} of {} products by plain loops", program_->num_plain_products(),
                                  program_->num_plain_products() + program_->num_kernel_products());
  return report;
}

void CudaSession::wait_for_end() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  bool interrupted = false, expired = false;
  while (!streams_->has_ended()) {
    // A short run is over in less than a thread takes to wake up.
    if (Clock::now() - begin < std::chrono::milliseconds(2)) {
      std::this_thread::yield();
      continue;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (!interrupted && options_.interrupted && options_.interrupted()) {
      interrupted = true;
      program_->abort(*streams_);
    }
    // The waits of other devices need not run out one by one.
    if (!expired && state_of_record() != 0) {
      expired = true;
      program_->abort(*streams_);
    }
  }
  if (interrupted) throw Error(ErrorCode::kInterrupted, "interrupted");
  if (state_of_record() != 0) throw Error(ErrorCode::kRankFailed, describe(*control_.expired));
}

std::uint32_t CudaSession::state_of_record() const {
  return *reinterpret_cast<const volatile std::uint32_t*>(&control_.expired->state);
}

std::string CudaSession::describe(const ExpiredWait& expired) const {
  std::int32_t number = expired.op;
  for (int rank = 0; rank < schedule_.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule_.ranks[static_cast<std::size_t>(rank)].lanes;
    for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane) {
      const std::vector<Op>& ops = lanes[static_cast<std::size_t>(lane)].ops;
      if (number >= static_cast<std::int32_t>(ops.size())) {
        number -= static_cast<std::int32_t>(ops.size());
        continue;
      }
      const std::string place = fmt::format(
          "rank {}, lane {}, op {} (line {}): {}", rank, lanes[static_cast<std::size_t>(lane)].name, number,
          line_of(schedule_, {rank, lane, number}), to_string(schedule_, rank, ops[static_cast<std::size_t>(number)]));
      const auto* found = std::get_if<Wait>(&ops[static_cast<std::size_t>(number)]);
      if (found == nullptr)
        return fmt::format("what comes before an op in its lane was not done within {} ms: {}",
                           options_.deadline.count(), place);
      const Wait& wait = *found;
      const SignalWordUse& use = words_.at(rank, wait.signal);
      const std::uint64_t before = expired.expected - wait.threshold;
      std::string sentence = fmt::format(
          "a wait was not passed within {} ms: {}, signal {}: expected {}, seen {}", options_.deadline.count(), place,
          schedule_.signals[static_cast<std::size_t>(wait.signal)].name, wait.threshold, expired.seen - before);
      if (use.writer_rank < 0) return sentence + "; no lane raises it";
      const std::vector<Lane>& writers = schedule_.ranks[static_cast<std::size_t>(use.writer_rank)].lanes;
      return sentence + fmt::format("; it is raised by rank {}, lane {}", use.writer_rank,
                                    writers[static_cast<std::size_t>(use.writer_lane)].name);
    }
  }
  return "a wait was not passed";
}

std::optional<Timeline> CudaSession::timeline() const {
  if (!options_.record || runs_ == 0 || failure_) return std::nullopt;
  std::map<int, std::vector<DeviceOpTimes>> noted;
  for (const DevicePart& part : program_->devices()) noted[part.device] = program_->read_times(part);
  std::vector<std::span<const DeviceOpTimes>> of_rank;
  for (const int device : devices_) of_rank.emplace_back(noted.at(device));
  return device_timeline(schedule_, of_rank);
}

void CudaSession::reset() {
  streams_.reset();
  program_.reset();
  memory_.reset();
  mirrors_.clear();
  build();
}

}  // namespace meshmul::cuda
