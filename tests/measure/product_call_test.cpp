#include "measure/product_call.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "meshmul/error.hpp"

namespace meshmul::measure {
namespace {

std::byte* bytes(auto& values) { return reinterpret_cast<std::byte*>(values.data()); }

// [1 2; 3 4] * [1 0 2; 0 1 3] = [1 2 8; 3 4 18]
template <class T>
std::vector<T> product_by(const std::string& library, Dtype dtype) {
  std::vector<T> a{1, 2, 3, 4};
  std::vector<T> b{1, 0, 2, 0, 1, 3};
  std::vector<T> c(6, T(-1));
  product_call(library, {dtype, 2, 3, 2}, {bytes(a), bytes(b), bytes(c)})();
  return c;
}

TEST(ProductCall, MultipliesRowMajorMatrices) {
  EXPECT_THAT(product_by<float>("openblas", Dtype::kF32), testing::ElementsAre(1, 2, 8, 3, 4, 18));
  EXPECT_THAT(product_by<double>("openblas", Dtype::kF64), testing::ElementsAre(1, 2, 8, 3, 4, 18));
  EXPECT_THAT(product_by<float>("onednn", Dtype::kF32), testing::ElementsAre(1, 2, 8, 3, 4, 18));
}

TEST(ProductCall, RefusesDtypesThatTheLibraryDoesNotMultiply) {
  EXPECT_THROW(product_call("openblas", {Dtype::kBf16, 2, 2, 2}, {}), Error);
  EXPECT_THROW(product_call("onednn", {Dtype::kF64, 2, 2, 2}, {}), Error);
  EXPECT_THROW(product_call("mkl", {Dtype::kF32, 2, 2, 2}, {}), Error);
}

}  // namespace
}  // namespace meshmul::measure
