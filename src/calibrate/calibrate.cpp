// All measurements of a machine, and the profile that they make.

#include "meshmul/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "execute/cpu/doorbell.hpp"
#include "execute/cpu/own_cores.hpp"
#include "footprints.hpp"
#include "meshmul/error.hpp"
#include "probe.hpp"
#include "products.hpp"
#include "runs.hpp"
#include "signals.hpp"

namespace meshmul {
namespace {

[[noreturn]] void refuse(std::string_view what) { throw Error(ErrorCode::kInvalidArgument, std::string(what)); }

void check(const CalibrateOptions& options) {
  const std::vector<std::int64_t>& extents = options.extents;
  if (options.ranks < 0 || options.ranks > 1024)
    refuse(fmt::format("{} ranks are to be calibrated; expected 0 to 1024", options.ranks));
  if (options.dtypes.empty()) refuse("no dtype is to be calibrated; expected one at least");
  if (extents.empty() || extents.front() < 1 ||
      std::adjacent_find(extents.begin(), extents.end(), std::greater_equal<>()) != extents.end())
    refuse("the extents of products do not rise from 1 or more");
  if (options.rounds < 1) refuse(fmt::format("{} rounds are to be run; expected one at least", options.rounds));
  if (options.least_footprint < 64 || options.largest_footprint < options.least_footprint)
    refuse("the footprints do not rise from 64 bytes or more");
}

const Executor& backend_of(const CalibrateOptions& options) {
  const Executor* executor = find_executor(options.backend);
  if (executor == nullptr) refuse(fmt::format("there is no backend '{}'", options.backend));
  return *executor;
}

// What formulas take from the measurements: rates of large things.
void summarize(const Calibration& calibration, Hardware& hardware) {
  for (const ProductRate& product : calibration.products)
    hardware.chip.flops_per_second[product.dtype] = product.flops_per_second.busy;
  const Host& host = *hardware.host;
  hardware.chip.memory_bytes_per_second = host.gets.busy_bytes_per_second.back();
  hardware.network.kind = NetworkKind::kSwitch;
  hardware.network.shared_memory = true;
  // Each byte is read once and written once.
  hardware.network.link_bytes_per_second = host.gets.busy_bytes_per_second.back() / 2;
  hardware.network.hop_seconds = host.notice_seconds;
}

}  // namespace

CalibrateOptions quick_calibration() {
  CalibrateOptions options;
  options.extents = {1, 32, 256, 1024};
  options.largest_footprint = std::int64_t{1} << 26;
  options.rounds = 3;
  return options;
}

Calibration calibrate(const CalibrateOptions& options) {
  check(options);
  const std::size_t allowed = allowed_cores().size();
  const int cores = std::max(1, static_cast<int>(allowed > 0 ? allowed : std::thread::hardware_concurrency()));
  const calibration::Bench bench{backend_of(options), options, options.ranks == 0 ? cores : options.ranks};
  const auto next = [&](std::string_view what) {
    if (options.on) options.on(what);
  };
  Calibration result;
  Host host;
  host.cores = cores;
  next("signals");
  const calibration::SignalSeconds signals = calibration::measure_signals(bench);
  host.op_seconds = signals.op;
  host.notice_seconds = signals.notice;
  host.wake_seconds = signals.wake;
  host.sleep_after_seconds = std::chrono::duration<double>(Doorbell::kYieldTime).count();
  next("copies, reductions and maps");
  const calibration::MeasuredRates rates = calibration::measure_footprints(bench);
  host.runs = calibration::measure_runs(bench, rates.gets);
  host.copies = rates.copies;
  host.gets = rates.gets;
  host.reductions = rates.reductions;
  host.sums = rates.sums;
  host.maps = rates.maps;
  host.streams = rates.streams;
  for (const Dtype dtype : options.dtypes) {
    next(fmt::format("products of {}", name(dtype)));
    host.products.push_back(calibration::measure_products(bench, dtype));
    result.products.push_back({dtype, calibration::measure_largest_product(bench, dtype)});
  }
  result.hardware.name = "local";
  result.hardware.host = std::move(host);
  summarize(result, result.hardware);
  return result;
}

}  // namespace meshmul
