#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "files.hpp"

namespace meshmul {
namespace {

/// The error of writing there, and whether it left nothing behind in `folder`.
std::string write_error(const std::string& target, std::int64_t num_bytes = 4) {
  return error_of([&] { AtomicFile(target, num_bytes); });
}

bool has_unnamed_files(const TemporaryFolder& folder) {
  const int file = open(folder.path().c_str(), O_WRONLY | O_TMPFILE, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

TEST(AtomicFile, AppearsOnCommit) {
  const TemporaryFolder folder;
  AtomicFile file(folder.file("report.html"), 4);
  file.write_at(0, std::as_bytes(std::span("abcd", 4)));
  if (has_unnamed_files(folder))
    EXPECT_THAT(folder.names(), ::testing::IsEmpty());
  else
    EXPECT_THAT(folder.names(), ::testing::ElementsAre(::testing::MatchesRegex("\\.report\\.html\\.[0-9a-f]+\\.tmp")));
  file.commit();
  EXPECT_THAT(folder.names(), ::testing::ElementsAre("report.html"));
  EXPECT_EQ(read_bytes(folder.file("report.html")), "abcd");
}

TEST(AtomicFile, ReplacesAFileAndFollowsTheUmask) {
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), "a longer old file");
  const mode_t before = umask(027);
  write_file(folder.file("a"), "new");
  umask(before);
  EXPECT_EQ(read_bytes(folder.file("a")), "new");
  struct stat status = {};
  ASSERT_EQ(stat(folder.file("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(AtomicFile, IsGoneWithAProcessThatIsKilled) {
  const TemporaryFolder folder;
  const pid_t writer = fork();
  if (writer == 0) {
    AtomicFile file(folder.file("a"), 4);
    file.write_at(0, std::as_bytes(std::span("abcd", 4)));
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(folder.names().size(), has_unnamed_files(folder) ? 0U : 1U);
}

TEST(AtomicFile, WritesEmptyTexts) {
  const TemporaryFolder folder;
  write_file(folder.file("a"), "");
  EXPECT_EQ(read_bytes(folder.file("a")), "");
}

TEST(AtomicFile, TakesNamesOfAnyLengthThatAFileMayHave) {
  const TemporaryFolder folder;
  write_file(folder.file(std::string(255, 'n')), "x");
  EXPECT_THAT(folder.names(), ::testing::ElementsAre(std::string(255, 'n')));
}

TEST(AtomicFile, TakesABareNameAsOneOfTheWorkingFolder) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_file("bare", "x");
  std::filesystem::current_path(before);
  EXPECT_THAT(folder.names(), ::testing::ElementsAre("bare"));
}

TEST(AtomicFile, RefusesTargetsThatARenameWouldSpoil) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("folder"));
  write_bytes(folder.file("real"), "old");
  std::filesystem::create_symlink("real", folder.file("link"));
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  EXPECT_EQ(write_error(folder.file("folder")), folder.file("folder: cannot write it: is a folder"));
  EXPECT_EQ(write_error(folder.file("link")),
            folder.file("link: cannot write it: is a symbolic link; name the file that it points to"));
  EXPECT_EQ(write_error(folder.file("pipe")), folder.file("pipe: cannot write it: is not a regular file"));
  EXPECT_EQ(write_error(folder.file("")), "'" + folder.file("") + "' names no file to write");
  EXPECT_EQ(folder.names().size(), 4U);
}

TEST(AtomicFile, NeedsAFolderThatCanBeWritten) {
  const TemporaryFolder folder;
  write_bytes(folder.file("file"), "");
  EXPECT_EQ(write_error(folder.file("none/a")),
            folder.file("none/a: cannot open its folder ") + folder.file("none: No such file or directory"));
  EXPECT_EQ(write_error(folder.file("file/a")),
            folder.file("file/a: cannot open its folder ") + folder.file("file: Not a directory"));
  // Not even root creates files there.
  EXPECT_THAT(write_error("/proc/a"), ::testing::StartsWith("/proc/a: cannot create a file in /proc: "));
}

TEST(AtomicFile, SaysHowMuchSpaceIsMissing) {
  const TemporaryFolder folder;
  constexpr std::int64_t kTooMuch = std::int64_t{1} << 60;
  EXPECT_THAT(write_error(folder.file("a"), kTooMuch),
              ::testing::MatchesRegex(".*/a: needs 1152921504606846976 bytes in .*: [0-9]+ are free"));
  EXPECT_TRUE(folder.names().empty());
  try {
    AtomicFile(folder.file("a"), kTooMuch);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMachine);
  }
}

}  // namespace
}  // namespace meshmul
