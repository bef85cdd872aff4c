#include "measure/one_process.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "meshmul/error.hpp"

namespace meshmul::measure {
namespace {

Product product(const char* text) { return std::get<Product>(parse_statement(text, Mesh{{"X", 2}})); }

std::vector<std::string> libraries(const char* text) {
  std::vector<std::string> names;
  for (const OneProcess& one : in_one_process(product(text), [] { return false; })) names.push_back(one.library);
  return names;
}

TEST(OneProcess, EveryLibraryThatMultipliesTheDtypeIsThere) {
  EXPECT_THAT(libraries("f32 A[M=64_X, K=32] * B[K, N=16] -> C[M_X, N]"),
              testing::IsSupersetOf({"OpenBLAS", "oneDNN"}));
  EXPECT_THAT(libraries("f64 A[M=64_X, K=32] * B[K, N=16] -> C[M_X, N]"),
              testing::AllOf(testing::Contains("OpenBLAS"), testing::Not(testing::Contains("oneDNN"))));
  EXPECT_THAT(libraries("bf16 A[M=64_X, K=32] * B[K, N=16] -> C[M_X, N]"), testing::ElementsAre("oneDNN"));
}

TEST(OneProcess, NoneHasWhatIsNoProductOfTwoMatricesOrOfOtherDtypes) {
  EXPECT_THAT(libraries("A[S=4, M=64_X, K=32] * B[S, K, N=16] -> C[S, M_X, N]"), testing::IsEmpty());
  EXPECT_THAT(libraries("A[M=0_X, K=32] * B[K, N=16] -> C[M_X, N]"), testing::IsEmpty());
  EXPECT_THAT(libraries("i8 A[M=64_X, K=32] * B[K, N=16] -> C[M_X, N]"), testing::IsEmpty());
}

TEST(OneProcess, EachIsCalledAgainAndAgain) {
  for (const OneProcess& one :
       in_one_process(product("A[M=64_X, K=32] * B[K, N=16] -> C[M_X, N]"), [] { return false; }))
    for (int call = 0; call < 3; ++call) EXPECT_GT(one.timed(), 0) << one.library;
}

TEST(OneProcess, ACallCanBeInterrupted) {
  for (const OneProcess& one :
       in_one_process(product("A[M=64_X, K=32] * B[K, N=16] -> C[M_X, N]"), [] { return true; }))
    EXPECT_THROW(one.timed(), Error);
}

}  // namespace
}  // namespace meshmul::measure
