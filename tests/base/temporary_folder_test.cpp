#include "base/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "support/error_of.hpp"

namespace meshmul {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, GoesWithAllThatIsInIt) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_TRUE(folder.names().empty());
    std::ofstream(folder.file("a.txt")) << "text";
    fs::create_directory(folder.path() / "b");
    EXPECT_THAT(folder.names(), ::testing::UnorderedElementsAre("a.txt", "b"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, EachIsAFolderOfItsOwn) {
  const TemporaryFolder first, second;
  EXPECT_NE(first.path(), second.path());
}

TEST(TemporaryFolder, LiesWhereTheEnvironmentSays) {
  const TemporaryFolder outer;
  setenv("TMPDIR", outer.path().c_str(), 1);
  {
    const TemporaryFolder inner;
    EXPECT_EQ(inner.path().parent_path(), outer.path());
  }
  setenv("TMPDIR", outer.file("none").c_str(), 1);
  EXPECT_EQ(testing::message_of([] { const TemporaryFolder inner; }),
            "there is no folder for temporary files: No such file or directory; TMPDIR may name one");
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace meshmul
