#include "kernels/streaming.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <vector>

#include "kernels/kernels.hpp"

namespace meshmul {
namespace {

TEST(StreamBytes, copies_any_number_of_bytes_to_any_place_and_nothing_beside_them) {
  constexpr std::size_t kMargin = 64;
  std::vector<std::byte> src(400);
  for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<std::byte>(i % 251);
  CpuFeatures no_avx512 = cpu_features();
  no_avx512.avx512 = false;
  for (const CpuFeatures& cpu : {CpuFeatures{}, no_avx512, cpu_features()})
    for (const std::size_t begin : {0U, 1U, 63U})
      for (const std::size_t bytes : {0U, 1U, 62U, 64U, 65U, 128U, 300U}) {
        std::vector<std::byte> dst(2 * kMargin + 400, std::byte{0xFF});
        std::vector<std::byte> expected = dst;
        std::copy_n(src.begin(), bytes, expected.begin() + kMargin + static_cast<std::ptrdiff_t>(begin));
        stream_bytes(dst.data() + kMargin + begin, src.data(), static_cast<std::int64_t>(bytes), cpu);
        end_streams();
        EXPECT_EQ(dst, expected) << begin << ", " << bytes;
      }
}

TEST(StreamBytes, large_copies_go_that_way_and_are_whole) {
  const std::int64_t elements = kStreamBytes / 4 + 5;
  std::vector<float> src(static_cast<std::size_t>(elements));
  std::iota(src.begin(), src.end(), 0.0F);
  std::vector<float> dst(src.size());
  const Shape shape{elements};
  meshmul::copy(view_of(reinterpret_cast<std::byte*>(dst.data()), Dtype::kF32, shape, Box::whole(shape)),
                view_of(reinterpret_cast<const std::byte*>(src.data()), Dtype::kF32, shape, Box::whole(shape)), {});
  EXPECT_EQ(dst, src);
}

}  // namespace
}  // namespace meshmul
