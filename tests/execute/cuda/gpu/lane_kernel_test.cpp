// The kernel of lanes on a GPU: copies, sums and elementwise functions in memory around which nothing may be written,
// compared byte by byte with what the kernels for CPUs do, or one way with the other.

#include "execute/cuda/lane_kernel.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/lane_run.hpp"
#include "execute/cuda/pinned_memory.hpp"
#include "execute/cuda/strided_array.hpp"
#include "kernels/kernels.hpp"

namespace meshmul::cuda {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr Dtype kFloats[] = {Dtype::kF32, Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3};

/// An array of the host, and the same on the device.
class TestArray {
 public:
  explicit TestArray(StridedArray array) : host(std::move(array)), memory_(host.bytes().size()) { upload(); }

  void upload() {
    check(cudaMemcpy(memory_.data(), host.bytes().data(), host.bytes().size(), cudaMemcpyHostToDevice), "upload");
  }
  View view() const { return host.at(memory_.data()); }
  std::vector<std::byte> download() const {
    std::vector<std::byte> bytes(host.bytes().size());
    check(cudaMemcpy(bytes.data(), memory_.data(), bytes.size(), cudaMemcpyDeviceToHost), "download");
    return bytes;
  }

  StridedArray host;

 private:
  DeviceMemory memory_;
};

/// Lanes that are run one or more times.
class Lanes {
 public:
  LaneTables tables;

  void add_lane() {
    const auto first = static_cast<std::int32_t>(tables.tasks.size());
    tables.lanes.push_back({first, first, static_cast<std::int32_t>(tables.waits.size())});
  }
  void add(const ElementRows& work, int num_shares = 7) {
    tables.element_rows.push_back(work);
    add_task(LaneTask::Work::kElementRows, tables.element_rows.size(), num_shares);
  }
  void add(const ElementLoops& work, int num_shares = 7) {
    tables.loops.push_back(work);
    add_task(LaneTask::Work::kElements, tables.loops.size(), num_shares);
  }
  void add(const RowCopy& work, int num_shares = 7) {
    tables.rows.push_back(work);
    add_task(LaneTask::Work::kRows, tables.rows.size(), num_shares);
  }
  /// Of the last task.
  void wait(const SignalWait& wait) {
    tables.waits.push_back(wait);
    tables.tasks.back().end_wait = static_cast<std::int32_t>(tables.waits.size());
  }
  void raise(const SignalRaise& raise) {
    tables.raises.push_back(raise);
    ++tables.tasks.back().num_raises;
  }

  template <class Before, class Behind>
  void run(int num_runs, int num_blocks, bool one_each, Before before_each, Behind behind_each) const {
    load_lane_kernels();
    const auto num_tasks = static_cast<int>(tables.tasks.size());
    const LaneState state(num_tasks, static_cast<int>(tables.lanes.size()));
    const DeviceMemory epoch(8), abort(4);
    const PinnedMemory expired(sizeof(ExpiredWait));
    check(cudaMemset(epoch.data(), 0xFF, 8), "epoch");
    check(cudaMemset(abort.data(), 0, 4), "abort");
    auto* const record = reinterpret_cast<ExpiredWait*>(expired.data());
    *record = {};
    const LaneRun run(tables, state, epoch.as<std::uint64_t>(), nullptr,
                      {record, abort.as<std::uint32_t>(), 10 * kSecond}, num_blocks, one_each);
    for (int number = 0; number < num_runs; ++number) {
      before_each();
      begin_run(epoch.as<std::uint64_t>(), state.taken(), num_tasks, nullptr, nullptr);
      run.launch(nullptr);
      check(cudaDeviceSynchronize(), "running lanes");
      ASSERT_EQ(record->state, 0U) << "a wait ran out in run " << number;
      behind_each();
    }
  }
  void run() const {
    run(1, 3, false, [] {}, [] {});
  }

 private:
  void add_task(LaneTask::Work work, std::size_t in_table, int num_shares) {
    if (tables.lanes.empty()) add_lane();
    LaneTask task;
    task.work = work;
    task.index = static_cast<std::int32_t>(in_table) - 1;
    task.lane = static_cast<std::int32_t>(tables.lanes.size()) - 1;
    task.end_wait = static_cast<std::int32_t>(tables.waits.size());
    task.first_raise = static_cast<std::int32_t>(tables.raises.size());
    task.num_shares = num_shares;
    task.op = -1;
    tables.tasks.push_back(task);
    tables.lanes.back().end_task = static_cast<std::int32_t>(tables.tasks.size());
  }
};

template <class Work>
void run_alone(const Work& work, int num_shares = 7) {
  Lanes lanes;
  lanes.add(work, num_shares);
  lanes.run();
}

struct Shape {
  std::int64_t rows, columns;
};
/// One row and many, tiles that go down and along, some with edges.
constexpr Shape kShapes[] = {{1, 4},  {1, 4096}, {1, 5000},  {7, 8},    {8, 128},   {9, 132},
                             {40, 4}, {70, 12},  {33, 1200}, {5, 2052}, {300, 260}, {1000, 16}};

TEST(LaneKernel, ConvertsAndAddsRowsOfAllDtypes) {
  unsigned seed = 0;
  for (const auto& [rows, columns] : kShapes)
    for (const Dtype to : kFloats)
      for (const Dtype from : kFloats) {
        SCOPED_TRACE(fmt::format("{} x {}, {} from {}, seed {}", rows, columns, name(to), name(from), ++seed));
        std::mt19937 random(seed);
        const std::vector<std::int64_t> extents{rows, columns};
        TestArray dst(StridedArray(to, extents, rows_of(extents, 4), 4, random));
        TestArray src(StridedArray(from, extents, rows_of(extents, 8), 8, random));
        StridedArray expected = dst.host;
        const auto copy = element_rows(copy_loops(dst.view(), src.view(), {}));
        ASSERT_TRUE(copy);
        run_alone(*copy, 1 + static_cast<int>(random() % 9));
        meshmul::copy(expected.view(), src.host.view(), {});
        ASSERT_TRUE(dst.download() == expected.bytes());
        const auto reduce = element_rows(reduce_loops(dst.view(), src.view(), {}));
        ASSERT_TRUE(reduce);
        run_alone(*reduce, 1 + static_cast<int>(random() % 9));
        meshmul::reduce(expected.view(), src.host.view(), {});
        ASSERT_TRUE(dst.download() == expected.bytes());
      }
}

TEST(LaneKernel, SumsTermsOfOneDtypeAndOfMany) {
  for (int num_terms = 1; num_terms <= ElementRows::kMostSources; ++num_terms)
    for (std::size_t of = 0; of <= std::size(kFloats); ++of)
      for (const Shape& shape : {Shape{1, 4096}, Shape{33, 140}, Shape{3, 1028}}) {
        SCOPED_TRACE(fmt::format("{} terms of {}, {} x {}", num_terms, of, shape.rows, shape.columns));
        std::mt19937 random(static_cast<unsigned>(num_terms));
        const std::vector<std::int64_t> extents{shape.rows, shape.columns};
        TestArray dst(StridedArray(kFloats[random() % 3], extents, rows_of(extents), 0, random));
        StridedArray sum(Dtype::kF32, extents, rows_of(extents), 0, random), expected = dst.host;
        std::deque<TestArray> terms;
        std::vector<ConstView> views;
        for (int t = 0; t < num_terms; ++t) {
          const Dtype dtype = of < std::size(kFloats) ? kFloats[of] : kFloats[random() % std::size(kFloats)];
          terms.emplace_back(StridedArray(dtype, extents, rows_of(extents, 4 * (t % 3)), 4 * (t % 2), random));
          views.emplace_back(terms.back().view());
        }
        const auto work = sum_rows(dst.view(), views);
        ASSERT_TRUE(work);
        run_alone(*work, 1 + static_cast<int>(random() % 9));
        meshmul::copy(sum.view(), terms[0].host.view(), {});
        for (std::size_t t = 1; t < terms.size(); ++t) meshmul::reduce(sum.view(), terms[t].host.view(), {});
        meshmul::copy(expected.view(), sum.view(), {});
        ASSERT_TRUE(dst.download() == expected.bytes());
      }
}

TEST(LaneKernel, SpreadsOneElementOverARowOrOneRowOverAll) {
  for (const auto& [rows, columns] : kShapes)
    for (const int along : {0, 1, 2})
      for (const Dtype dtype : kFloats)
        for (const MapFunction function : {MapFunction::kBias, MapFunction::kScale}) {
          SCOPED_TRACE(fmt::format("{} x {}, {} of {} along {}", rows, columns, name(function), name(dtype), along));
          std::mt19937 random(static_cast<unsigned>(along));
          const std::vector<std::int64_t> extents{rows, columns};
          TestArray dst(StridedArray(Dtype::kBf16, extents, rows_of(extents, 4), 0, random));
          TestArray x(StridedArray(Dtype::kF32, extents, rows_of(extents), 0, random));
          // Along 2: one element for all.
          std::vector<std::int64_t> spread;
          if (along < 2) spread = {extents[static_cast<std::size_t>(along)]};
          TestArray y(StridedArray(dtype, spread, rows_of(spread), 0, random));
          const std::optional<int> dimension = along == 2 ? std::nullopt : std::optional(along);
          const ConstView sources[] = {x.view(), y.view()}, of_host[] = {x.host.view(), y.host.view()};
          const auto work = element_rows(map_loops(dst.view(), function, sources, dimension));
          ASSERT_TRUE(work);
          run_alone(*work);
          StridedArray expected = dst.host;
          meshmul::map(expected.view(), function, of_host, dimension);
          ASSERT_TRUE(dst.download() == expected.bytes());
        }
}

/// Dense rows of `values`, rounded.
TestArray array_of(Dtype dtype, const std::vector<float>& values) {
  std::mt19937 random(1);
  StridedArray array(dtype, {static_cast<std::int64_t>(values.size())}, {1}, 0, random);
  for (std::size_t i = 0; i < values.size(); ++i)
    StridedArray::set_element(array.view().data + static_cast<std::int64_t>(i) * size_bytes(dtype), dtype, values[i]);
  return TestArray(std::move(array));
}

TEST(LaneKernel, HasTheBitsOfOneElementAtATimeForEveryFunction) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> xs(4100), ys(xs.size());
  for (float& x : xs) x = normal(random);
  for (float& y : ys) y = normal(random);
  for (const Dtype to : kFloats)
    for (const Dtype from : kFloats)
      for (const MapFunction function : kAllMapFunctions) {
        SCOPED_TRACE(fmt::format("{} of {} to {}", name(function), name(from), name(to)));
        TestArray x = array_of(from, xs), y = array_of(from, ys);
        TestArray fast = array_of(to, std::vector<float>(xs.size())),
                  slow = array_of(to, std::vector<float>(xs.size()));
        std::vector<ConstView> sources{x.view(), y.view()};
        sources.resize(static_cast<std::size_t>(num_sources(function)));
        const auto work = element_rows(map_loops(fast.view(), function, sources, {}));
        ASSERT_TRUE(work);
        run_alone(*work);
        run_alone(map_loops(slow.view(), function, sources, {}));
        ASSERT_TRUE(fast.download() == slow.download());
      }
}

TEST(LaneKernel, RoundsAllKindsOfNumbersAsTheHostDoes) {
  std::vector<float> values{0.0F,
                            -0.0F,
                            448.0F,
                            -448.0F,
                            463.9F,
                            464.0F,
                            -464.0F,
                            464.1F,
                            -464.1F,
                            1e30F,
                            -1e30F,
                            65504.0F,
                            65519.0F,
                            65520.0F,
                            0x1p-9F,
                            0x1p-10F,
                            0x1.8p-10F,
                            0x1p-24F,
                            0x1p-25F,
                            3e38F,
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN(),
                            0x1p-149F};
  std::mt19937 random(5);
  while (values.size() < 40'000) {
    // All exponents, and those of f8 more often.
    const auto bits = static_cast<std::uint32_t>(random());
    values.push_back(std::bit_cast<float>(values.size() % 2 == 0 ? bits : (bits & 0x87FFFFFFU) | 0x38000000U));
  }
  TestArray src = array_of(Dtype::kF32, values);
  for (const Dtype to : {Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3})
    for (const bool in_rows : {true, false}) {
      SCOPED_TRACE(fmt::format("{}, {}", name(to), in_rows ? "rows" : "elements"));
      TestArray dst = array_of(to, std::vector<float>(values.size()));
      const ElementLoops loops = copy_loops(dst.view(), src.view(), {});
      if (in_rows)
        run_alone(element_rows(loops).value());
      else
        run_alone(loops);
      const std::vector<std::byte> bytes = dst.download();
      const std::byte* const got = bytes.data() + (dst.host.view().data - dst.host.bytes().data());
      TestArray expected = array_of(to, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t at = static_cast<std::int64_t>(i) * size_bytes(to);
        const float x = StridedArray::element(got + at, to),
                    y = StridedArray::element(expected.host.view().data + at, to);
        ASSERT_TRUE(std::isnan(x) ? std::isnan(y) : std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y))
            << values[i] << " became " << x << ", not " << y;
      }
    }
}

TEST(LaneKernel, KeepsMinusZero) {
  const std::vector<float> zeros(1024, -0.0F);
  for (std::size_t num_terms = 1; num_terms <= 6; ++num_terms) {
    std::deque<TestArray> terms;
    std::vector<ConstView> views;
    for (std::size_t t = 0; t < num_terms; ++t) {
      terms.push_back(array_of(kFloats[t % std::size(kFloats)], zeros));
      views.emplace_back(terms.back().view());
    }
    TestArray dst = array_of(Dtype::kF32, std::vector<float>(zeros.size(), 1));
    run_alone(sum_rows(dst.view(), views).value());
    ASSERT_TRUE(dst.download() == array_of(Dtype::kF32, zeros).host.bytes()) << num_terms;
  }
}

TEST(LaneKernel, CopiesAndAddsAnyStridesInAnyOrder) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<std::int64_t> extents(1 + random() % 4);
    for (std::int64_t& extent : extents) extent = 1 + static_cast<std::int64_t>(random() % 9);
    std::vector<int> permutation(extents.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), random);
    std::vector<std::int64_t> source_extents(extents.size());
    for (std::size_t d = 0; d < extents.size(); ++d)
      source_extents[static_cast<std::size_t>(permutation[d])] = extents[d];
    const auto dtype = [&] { return kAllDtypes[random() % std::size(kAllDtypes)]; };
    TestArray dst(StridedArray(dtype(), extents, any_strides(extents, random), 1, random));
    TestArray src(StridedArray(dtype(), source_extents, any_strides(source_extents, random), 3, random));
    StridedArray expected = dst.host;
    const int num_shares = 1 + static_cast<int>(random() % 9);
    if (seed % 2 == 0) {
      run_alone(copy_loops(dst.view(), src.view(), permutation), num_shares);
      meshmul::copy(expected.view(), src.host.view(), permutation);
    } else {
      run_alone(reduce_loops(dst.view(), src.view(), permutation), num_shares);
      meshmul::reduce(expected.view(), src.host.view(), permutation);
    }
    ASSERT_TRUE(dst.download() == expected.bytes());
  }
}

TEST(LaneKernel, CopiesRowsOfVectors) {
  for (const auto& [rows, vectors] : {Shape{1, 1}, Shape{1, 5000}, Shape{7, 3}, Shape{130, 33}, Shape{3, 1000}})
    for (const std::int64_t extra : {0, 1, 5}) {
      SCOPED_TRACE(fmt::format("{} x {}, {} more", rows, vectors, extra));
      std::mt19937 random(1);
      const std::vector<std::int64_t> extents{rows, vectors * 8};
      TestArray dst(StridedArray(Dtype::kBf16, extents, rows_of(extents, extra * 8), 8, random));
      TestArray src(StridedArray(Dtype::kBf16, extents, rows_of(extents, 16), 0, random));
      const auto copy = row_copy(dst.view(), src.view());
      ASSERT_TRUE(copy);
      run_alone(*copy);
      StridedArray expected = dst.host;
      meshmul::copy(expected.view(), src.host.view(), {});
      ASSERT_TRUE(dst.download() == expected.bytes());
    }
}

/// A lane brings terms one by one, another one adds them up behind their signals, a third one takes the sum: run after
/// run, of new terms each time.
TEST(LaneKernel, HandsArraysFromLaneToLaneRunAfterRun) {
  constexpr std::size_t kTerms = 5;
  const std::vector<std::int64_t> extents{600, 1024};
  std::mt19937 random(9);
  const auto bf16 = [&](std::int64_t extra = 0) {
    return StridedArray(Dtype::kBf16, extents, rows_of(extents, extra), 0, random);
  };
  std::deque<TestArray> sources, terms;
  std::vector<ConstView> views;
  for (std::size_t t = 0; t < kTerms; ++t) {
    sources.emplace_back(bf16());
    terms.emplace_back(bf16());
    views.emplace_back(terms.back().view());
  }
  TestArray sum(StridedArray(Dtype::kF32, extents, rows_of(extents), 0, random)), result(bf16(8));
  for (const bool one_each : {false, true}) {
    SCOPED_TRACE(one_each);
    const DeviceMemory words(2 * sizeof(std::uint64_t));
    check(cudaMemset(words.data(), 0, words.num_bytes()), "words");
    std::uint64_t* const brought = words.as<std::uint64_t>();
    std::uint64_t* const added = brought + 1;
    Lanes lanes;
    lanes.add_lane();
    lanes.add(element_rows(copy_loops(result.view(), sum.view(), {})).value(), 40);
    lanes.wait({added, 1, 1, 0});
    lanes.add_lane();
    lanes.add(sum_rows(sum.view(), views).value(), 100);
    for (std::size_t t = 0; t < kTerms; ++t) lanes.wait({brought, kTerms, t + 1, 0});
    lanes.raise({added, 1, 1});
    lanes.add_lane();
    for (std::size_t t = 0; t < kTerms; ++t) {
      lanes.add(row_copy(terms[t].view(), sources[t].view()).value(), 30);
      lanes.raise({brought, kTerms, t + 1});
    }
    lanes.run(
        4, 8 * 132, one_each,
        [&] {
          for (TestArray& source : sources) {
            source.host = bf16();
            source.upload();
          }
        },
        [&] {
          StridedArray expected_sum = sum.host, expected = result.host;
          meshmul::copy(expected_sum.view(), sources[0].host.view(), {});
          for (std::size_t t = 1; t < kTerms; ++t) meshmul::reduce(expected_sum.view(), sources[t].host.view(), {});
          meshmul::copy(expected.view(), expected_sum.view(), {});
          ASSERT_TRUE(sum.download() == expected_sum.bytes());
          ASSERT_TRUE(result.download() == expected.bytes());
        });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace meshmul::cuda
