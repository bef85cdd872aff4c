#include <gmock/gmock.h>

#include "files.hpp"
#include "meshmul/array_file.hpp"
#include "meshmul/random.hpp"

namespace meshmul {
namespace {

TEST(ArrayWriter, WritesTheBytesThatNumpyWrites) {
  const TemporaryFolder folder;
  for (const char* name : {"f64", "f32", "bf16", "f16", "f8e4m3", "i8", "i32"}) {
    const std::string file = std::string(name) + ".npy";
    write_array(folder.file(file), ArrayReader(fixture(file), parse_dtype(name)).read(), "unused");
    EXPECT_EQ(read_bytes(folder.file(file)), read_bytes(fixture(file))) << name;
  }
  for (const char* file : {"f32_scalar.npy", "f32_vector.npy", "f32_empty.npy", "single.safetensors"}) {
    write_array(folder.file(file), ArrayReader(fixture(file)).read(), "C");
    EXPECT_EQ(read_bytes(folder.file(file)), read_bytes(fixture(file))) << file;
  }
}

TEST(ArrayWriter, NamesTheTensorAsTheLocationDoes) {
  const TemporaryFolder folder;
  const HostArray array = random_array(Dtype::kBf16, {2, 3}, {.seed = 1});
  write_array(folder.file("m.safetensors"), array, "C");
  EXPECT_EQ(ArrayReader(folder.file("m.safetensors")).name(), "C");
  write_array(folder.file("m.safetensors:out.0"), array, "C");
  EXPECT_EQ(ArrayReader(folder.file("m.safetensors")).name(), "out.0");
  EXPECT_EQ(ArrayReader(folder.file("m.safetensors")).read(), array);
}

TEST(ArrayWriter, EveryDtypeComesBackFromBothFormats) {
  const TemporaryFolder folder;
  for (const Dtype dtype : kAllDtypes) {
    const HostArray array = random_array(dtype, {5, 0, 7}, {.seed = 1});
    const HostArray larger = random_array(dtype, {5, 2, 7}, {.seed = 1});
    for (const char* file : {"a.npy", "a.safetensors"}) {
      write_array(folder.file(file), array, "a");
      EXPECT_EQ(ArrayReader(folder.file(file), dtype).read(), array) << file << " " << name(dtype);
      write_array(folder.file(file), larger, "a");
      EXPECT_EQ(ArrayReader(folder.file(file), dtype).read(), larger) << file << " " << name(dtype);
    }
  }
}

TEST(ArrayWriter, BoxesInAnyOrderMakeTheWhole) {
  const TemporaryFolder folder;
  const Shape shape{5, 300, 7};
  const HostArray array = random_array(Dtype::kI32, shape, {.seed = 8});
  ArrayWriter writer(folder.file("a.npy"), Dtype::kI32, shape, "a");
  for (const Box& box : {Box{{2, 5}, {100, 300}, {3, 7}}, Box{{2, 5}, {100, 300}, {0, 3}},
                         Box{{0, 2}, {0, 300}, {0, 7}}, Box{{2, 5}, {0, 100}, {0, 7}}, Box{{5, 5}, {0, 300}, {0, 7}}})
    writer.write_box(box, array.view(box));
  writer.commit();
  EXPECT_EQ(ArrayReader(folder.file("a.npy")).read(), array);
}

TEST(ArrayWriter, WithoutCommitLeavesTheTargetAloneAndNothingBehind) {
  const TemporaryFolder folder;
  write_bytes(folder.file("a.npy"), "old");
  {
    ArrayWriter writer(folder.file("a.npy"), Dtype::kF32, {2}, "a");
    EXPECT_EQ(read_bytes(folder.file("a.npy")), "old");
  }
  EXPECT_THAT(folder.names(), ::testing::ElementsAre("a.npy"));
  EXPECT_EQ(read_bytes(folder.file("a.npy")), "old");
}

TEST(ArrayWriter, RefusesAnUnknownKindOfFileBeforeItTouchesAnything) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { ArrayWriter(folder.file("a.csv"), Dtype::kF32, {2}, "a"); }, folder.file("")),
            "a.csv: unknown kind of file; expected FILE.npy, FILE.safetensors or FILE.safetensors:TENSOR");
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace meshmul
