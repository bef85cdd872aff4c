// Files are untrusted: whatever is cut off or changed, reading one gives an array or an Error, and touches no memory
// that is not its own (which the build with sanitizers shows).
#include <gmock/gmock.h>

#include <random>

#include "files.hpp"
#include "meshmul/array_file.hpp"

namespace meshmul {
namespace {

const std::vector<std::string>& small_files() {
  static const std::vector<std::string> names{"f32.npy",
                                              "bf16.npy",
                                              "f64_big_endian_fortran_3d.npy",
                                              "f32_scalar.npy",
                                              "f32_version_2.npy",
                                              "single.safetensors",
                                              "several.safetensors"};
  return names;
}

enum class Outcome { kRead, kRefused };

/// Lists the file and reads every array in it.
Outcome read_all(const std::string& path) {
  try {
    for (const FileArray& array : list_arrays(path)) {
      const std::string location = array.name.empty() ? path : path + ":" + array.name;
      ArrayReader(location, array.dtype ? array.dtype : Dtype::kBf16).read();
    }
    return Outcome::kRead;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
    EXPECT_THAT(error.what(), ::testing::StartsWith(path));
    return Outcome::kRefused;
  }
}

TEST(DamagedFiles, CutAnywhereAreErrors) {
  const TemporaryFolder folder;
  for (const std::string& name : small_files()) {
    const std::string whole = read_bytes(fixture(name));
    const std::string path = folder.file(name);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      write_bytes(path, whole.substr(0, length));
      EXPECT_EQ(error_of([&] { list_arrays(path); }).substr(0, path.size()), path) << name << " cut to " << length;
    }
  }
}

TEST(DamagedFiles, ThatGoOnAreErrors) {
  const TemporaryFolder folder;
  for (const std::string& name : small_files()) {
    write_bytes(folder.file(name), read_bytes(fixture(name)) + "x");
    EXPECT_EQ(read_all(folder.file(name)), Outcome::kRefused) << name;
  }
}

TEST(DamagedFiles, WithChangedBytesAreReadOrRefused) {
  const TemporaryFolder folder;
  std::mt19937 random(5);
  int num_read = 0;
  int num_refused = 0;
  for (const std::string& name : small_files()) {
    const std::string whole = read_bytes(fixture(name));
    const std::string path = folder.file(name);
    for (int round = 0; round < 400; ++round) {
      std::string changed = whole;
      const int num_changes = 1 + round % 3;
      for (int i = 0; i < num_changes; ++i) {
        // Mostly in the header: the elements may be anything.
        const std::size_t place = random() % std::min<std::size_t>(changed.size(), round % 4 == 0 ? 1000 : 110);
        changed[place] = static_cast<char>(random());
      }
      write_bytes(path, changed);
      ++(read_all(path) == Outcome::kRead ? num_read : num_refused);
    }
  }
  EXPECT_GT(num_read, 100);
  EXPECT_GT(num_refused, 1000);
}

}  // namespace
}  // namespace meshmul
