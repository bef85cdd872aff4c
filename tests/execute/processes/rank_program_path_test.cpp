#include "execute/processes/rank_program_path.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"

namespace meshmul {
namespace {

namespace fs = std::filesystem;

class RankProgramPath : public ::testing::Test {
 protected:
  RankProgramPath() { unsetenv("MESHMUL_RANK_PROGRAM"); }
  ~RankProgramPath() override { unsetenv("MESHMUL_RANK_PROGRAM"); }
};

TEST_F(RankProgramPath, LooksBesideThisProgramThenInLibexecThenWhereItWasTold) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path beside = folder / "meshmul-rank";
  const fs::path installed = folder.parent_path() / "libexec" / "meshmul" / "meshmul-rank";
  EXPECT_THAT(rank_program_candidates(), ::testing::ElementsAre(beside, installed));
  set_rank_program("/opt/meshmul-rank");
  EXPECT_THAT(rank_program_candidates(), ::testing::ElementsAre(beside, installed, fs::path("/opt/meshmul-rank")));
  set_rank_program("");
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
