#include "execute/processes/rank_program_path.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

namespace fs = std::filesystem;

class RankProgramPath : public ::testing::Test {
 protected:
  RankProgramPath() { unsetenv("MESHMUL_RANK_PROGRAM"); }
  ~RankProgramPath() override { unsetenv("MESHMUL_RANK_PROGRAM"); }
};

TEST_F(RankProgramPath, LooksBesideThisProgramThenInLibexecThenWhereItIsInstalled) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const std::vector<fs::path> candidates = rank_program_candidates();
  ASSERT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates[0], folder / "meshmul-rank");
  EXPECT_EQ(candidates[1], folder.parent_path() / "libexec" / "meshmul" / "meshmul-rank");
  EXPECT_TRUE(candidates[2].is_absolute());
  EXPECT_EQ(candidates[2].filename(), "meshmul-rank");
}

TEST_F(RankProgramPath, TheEnvironmentNamesItAlone) {
  setenv("MESHMUL_RANK_PROGRAM", "/bin/true", 1);
  EXPECT_THAT(rank_program_candidates(), ::testing::ElementsAre(fs::path("/bin/true")));
  EXPECT_EQ(find_rank_program(), fs::path("/bin/true"));
}

TEST_F(RankProgramPath, AnErrorSaysWhereItLooked) {
  setenv("MESHMUL_RANK_PROGRAM", "/no/such/program", 1);
  try {
    find_rank_program();
    ADD_FAILURE() << "it was found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMachine);
    EXPECT_STREQ(error.what(),
                 "cannot find the program meshmul-rank; looked at /no/such/program (the environment variable "
                 "MESHMUL_RANK_PROGRAM can name it)");
  }
}

}  // namespace
}  // namespace meshmul
