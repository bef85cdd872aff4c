// Executors that this machine lacks are refused with what is missing; all others are left alone.

#include "execute/registry.hpp"

#include <gmock/gmock.h>

#include <string>

#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

TEST(Registry, RefusesCudaInWordsWhereItIsMissing) {
  if (find_executor("cuda") != nullptr) {
    EXPECT_NO_THROW(refuse_missing_executor("cuda"));
    return;
  }
  try {
    refuse_missing_executor("cuda");
    FAIL() << "it was let pass";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(std::string(error.what()),
                ::testing::AnyOf("the backend cuda needs a GPU of compute capability 9.0, and this machine has none",
                                 "this meshmul was built without the backend cuda; that takes a CUDA compiler"));
  }
}

TEST(Registry, SaysWhichExecutorsThereAreWhereOneIsRequired) {
  EXPECT_EQ(require_executor("threads", "--backend").name(), "threads");
  EXPECT_THAT(testing::error_of([] { require_executor("thread", "--backend"); }),
              ::testing::MatchesRegex("--backend \"thread\" is none of reference, threads, processes(, cuda)?; did you "
                                      "mean threads\\?"));
}

TEST(Registry, LeavesOtherNamesAlone) {
  for (const char* name : {"reference", "threads", "processes", "abacus", ""})
    EXPECT_NO_THROW(refuse_missing_executor(name)) << name;
}

}  // namespace
}  // namespace meshmul
