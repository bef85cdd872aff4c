#include "meshmul/calibrate.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "execute/cpu/own_cores.hpp"
#include "meshmul/error.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using namespace testing;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::SizeIs;

// Little enough for a unit test: what comes out is whatever this machine does.
CalibrateOptions tiny() {
  CalibrateOptions options;
  options.ranks = 2;
  options.dtypes = {Dtype::kF32};
  options.extents = {2, 16};
  options.least_footprint = 1 << 12;
  options.largest_footprint = 1 << 14;
  options.rounds = 2;
  return options;
}

TEST(Calibrate, MeasuresEveryShapeAndFootprint) {
  std::vector<std::string> phases;
  CalibrateOptions options = tiny();
  options.on = [&](std::string_view what) { phases.emplace_back(what); };
  const Calibration calibration = calibrate(options);
  EXPECT_THAT(phases, ElementsAre("signals", "copies, reductions and maps", "products of f32"));

  const Host& host = calibration.hardware.host.value();
  EXPECT_GE(host.cores.value(), 1);
  EXPECT_GT(host.op_seconds, 0);
  EXPECT_GT(host.notice_seconds, 0);
  EXPECT_GT(host.wake_seconds, 0);
  for (const FootprintRates* rates : {&host.copies, &host.gets, &host.reductions, &host.sums, &host.maps}) {
    EXPECT_THAT(rates->footprint_bytes, ElementsAre(1 << 12, 1 << 13, 1 << 14));
    EXPECT_THAT(rates->bytes_per_second, SizeIs(3));
    EXPECT_THAT(rates->bytes_per_second, Each(Gt(0)));
    EXPECT_THAT(rates->busy_bytes_per_second, SizeIs(3));
    EXPECT_THAT(rates->busy_bytes_per_second, Each(Gt(0)));
  }
  EXPECT_THAT(host.runs.footprint_bytes, ElementsAre(1 << 12, 1 << 13, 1 << 14));
  EXPECT_THAT(host.runs.seconds, SizeIs(3));
  EXPECT_THAT(host.runs.seconds, Each(Gt(0)));
  EXPECT_FALSE(host.streams) << "nothing is that large";
  ASSERT_EQ(host.products.size(), 1U);
  EXPECT_THAT(host.products[0].m, ElementsAre(2, 16));
  EXPECT_THAT(host.products[0].seconds, SizeIs(8));
  EXPECT_THAT(host.products[0].seconds, Each(Gt(0)));
  ASSERT_EQ(calibration.products.size(), 1U);
  EXPECT_GT(calibration.products[0].flops_per_second.alone, 0);
}

TEST(Calibrate, CountsTheCoresThatItMayRunOn) {
  Calibration calibration;
  std::thread([&] {
    keep_to_own_cores(0, static_cast<int>(allowed_cores().size()));
    CalibrateOptions options = tiny();
    options.ranks = 0;
    calibration = calibrate(options);
  }).join();
  EXPECT_EQ(calibration.hardware.host.value().cores.value(), 1);
}

TEST(Calibrate, TheProfileIsReadBackAndPricesPlans) {
  const Hardware hardware = calibrate(tiny()).hardware;
  EXPECT_EQ(hardware.name, "local");
  EXPECT_EQ(load_hardware(to_toml(hardware), "local.toml"), hardware);
  EXPECT_TRUE(hardware.network.shared_memory);
  EXPECT_GT(flops_per_second(hardware, Dtype::kF32), 0);
  check_fits(parse_mesh("X=2"), hardware);
}

TEST(Calibrate, RanksCanBeProcessesOrOneAlone) {
  CalibrateOptions options = tiny();
  options.backend = "processes";
  EXPECT_GT(calibrate(options).hardware.host->notice_seconds, 0);
  options.backend = "threads";
  options.ranks = 1;
  const Hardware alone = calibrate(options).hardware;
  EXPECT_EQ(alone.host->notice_seconds, alone.host->op_seconds);
}

TEST(Calibrate, WhatCannotBeMeasuredIsRefused) {
  const auto message = [](const std::function<void(CalibrateOptions&)>& change) {
    CalibrateOptions options = tiny();
    change(options);
    return error_of([&] { calibrate(options); });
  };
  EXPECT_EQ(message([](auto& options) { options.ranks = 1025; }),
            "1025 ranks are to be calibrated; expected 0 to 1024");
  EXPECT_EQ(message([](auto& options) { options.dtypes.clear(); }),
            "no dtype is to be calibrated; expected one at least");
  EXPECT_EQ(message([](auto& options) { options.extents = {4, 4}; }),
            "the extents of products do not rise from 1 or more");
  EXPECT_EQ(message([](auto& options) { options.rounds = 0; }), "0 rounds are to be run; expected one at least");
  EXPECT_EQ(message([](auto& options) { options.largest_footprint = 63; }),
            "the footprints do not rise from 64 bytes or more");
  EXPECT_EQ(message([](auto& options) { options.backend = "magic"; }), "there is no backend 'magic'");
}

TEST(Calibrate, AnInterruptEndsIt) {
  CalibrateOptions options = tiny();
  options.interrupted = [] { return true; };
  options.largest_footprint = std::int64_t{1} << 26;
  try {
    calibrate(options);
    ADD_FAILURE() << "it went on to the end";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
}

}  // namespace
}  // namespace meshmul
