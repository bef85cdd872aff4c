#include <gmock/gmock.h>
#include <sys/stat.h>

#include <random>

#include "files.hpp"
#include "meshmul/array_file.hpp"
#include "meshmul/random.hpp"

namespace meshmul {
namespace {

std::string reader_error(const std::string& location, std::optional<Dtype> expected = std::nullopt) {
  return error_of([&] { ArrayReader(location, expected); }, fixture(""));
}

/// What make_fixtures.py counts out: 0, 1, 2, … minus 5.
HostArray counting(Dtype dtype, const Shape& shape) {
  HostArray array(dtype, shape);
  for (std::int64_t i = 0; i < array.num_elements(); ++i) array.set(i, static_cast<double>(i - 5));
  return array;
}

TEST(ArrayReader, ReadsWhatNumpyWrote) {
  for (const Dtype dtype : kAllDtypes) {
    const ArrayReader reader(fixture(std::string(name(dtype)) + ".npy"), dtype);
    EXPECT_EQ(reader.read(), counting(dtype, {3, 4})) << name(dtype);
    EXPECT_EQ(reader.name(), "");
  }
  EXPECT_EQ(ArrayReader(fixture("f32_scalar.npy")).read(), counting(Dtype::kF32, {}));
  EXPECT_EQ(ArrayReader(fixture("f32_vector.npy")).read(), counting(Dtype::kF32, {5}));
  EXPECT_EQ(ArrayReader(fixture("f32_empty.npy")).read(), HostArray(Dtype::kF32, {0, 3}));
  EXPECT_EQ(ArrayReader(fixture("f32_version_2.npy")).read(), counting(Dtype::kF32, {3, 4}));
  EXPECT_EQ(ArrayReader(fixture("f32_version_3.npy")).read(), counting(Dtype::kF32, {3, 4}));
}

TEST(ArrayReader, TurnsBytesAndDimensionsRound) {
  EXPECT_EQ(ArrayReader(fixture("f32_big_endian.npy")).read(), counting(Dtype::kF32, {3, 4}));
  EXPECT_EQ(ArrayReader(fixture("i32_fortran.npy")).read(), counting(Dtype::kI32, {3, 4}));
  EXPECT_EQ(ArrayReader(fixture("f64_big_endian_fortran_3d.npy")).read(), counting(Dtype::kF64, {2, 3, 4}));
}

TEST(ArrayReader, ReadsTheTensorThatIsNamed) {
  const std::string file = fixture("several.safetensors");
  EXPECT_EQ(ArrayReader(file + ":layers.0.w").read(), counting(Dtype::kBf16, {3, 4}));
  EXPECT_EQ(ArrayReader(file + ":layers.1.w").read(), counting(Dtype::kF8e4m3, {3, 4}));
  EXPECT_EQ(ArrayReader(file + ":bias").read(), counting(Dtype::kF64, {5}));
  EXPECT_EQ(ArrayReader(file + ":scale").read(), counting(Dtype::kF32, {}));
  EXPECT_EQ(ArrayReader(file + ":half").read(), counting(Dtype::kF16, {2, 2}));
  EXPECT_EQ(ArrayReader(file + ":counts").read(), counting(Dtype::kI32, {2, 3}));
  EXPECT_EQ(ArrayReader(file + ":bytes").read(), counting(Dtype::kI8, {7}));
  EXPECT_EQ(ArrayReader(file + ":none").read(), HostArray(Dtype::kF32, {0, 3}));
  EXPECT_EQ(ArrayReader(file + ":bias").name(), "bias");
}

TEST(ArrayReader, NeedsNoNameForASingleTensor) {
  const ArrayReader reader(fixture("single.safetensors"), Dtype::kF32);
  EXPECT_EQ(reader.name(), "C");
  EXPECT_EQ(reader.read(), counting(Dtype::kF32, {3, 4}));
}

TEST(ArrayReader, ListsTheTensorsWhenItNeedsAName) {
  EXPECT_EQ(reader_error(fixture("several.safetensors")),
            "several.safetensors: name the tensor, as in " + fixture("several.safetensors") +
                ":TENSOR; it holds steps, bias, none, scale, counts, layers.0.w, half, layers.1.w, bytes");
  EXPECT_EQ(
      reader_error(fixture("several.safetensors:layers.1.v")),
      "several.safetensors: has no tensor layers.1.v; it holds steps, bias, none, scale, counts, layers.0.w, half, "
      "layers.1.w, bytes; did you mean layers.1.w?");
  EXPECT_EQ(reader_error(fixture("single.safetensors:weights")),
            "single.safetensors: has no tensor weights; it holds C");
}

TEST(ArrayReader, RefusesAnotherDtype) {
  EXPECT_EQ(reader_error(fixture("f64.npy"), Dtype::kF32), "f64.npy: holds f64 ('<f8'); expected f32");
  EXPECT_EQ(reader_error(fixture("several.safetensors:half"), Dtype::kBf16),
            "several.safetensors: tensor half holds f16 ('F16'); expected bf16");
  EXPECT_EQ(reader_error(fixture("several.safetensors:steps"), Dtype::kI32),
            "several.safetensors: tensor steps holds 64-bit integers ('I64'); expected i32");
  EXPECT_EQ(reader_error(fixture("u16.npy")),
            "u16.npy: holds 16-bit unsigned integers ('<u2'); expected f64, f32, bf16, f16, f8e4m3, i8 or i32");
  EXPECT_EQ(reader_error(fixture("truth.npy"), Dtype::kI8), "truth.npy: holds truth values ('|b1'); expected i8");
  EXPECT_EQ(reader_error(fixture("i64.npy"), Dtype::kI32), "i64.npy: holds 64-bit integers ('<i8'); expected i32");
  EXPECT_EQ(reader_error(fixture("complex.npy"), Dtype::kF32),
            "complex.npy: holds 64-bit complex numbers ('<c8'); expected f32");
  EXPECT_EQ(reader_error(fixture("text.npy"), Dtype::kF32), "text.npy: holds strings ('<U2'); expected f32");
  EXPECT_EQ(reader_error(fixture("object.npy"), Dtype::kF32), "object.npy: holds Python objects ('|O'); expected f32");
  EXPECT_EQ(reader_error(fixture("fields.npy"), Dtype::kF32),
            "fields.npy: its elements have named fields; expected plain numbers");
}

TEST(ArrayReader, TakesRawElementsOnlyForWhatIsAskedFor) {
  EXPECT_EQ(reader_error(fixture("bf16.npy")),
            "bf16.npy: holds raw elements of 2 bytes ('<V2'), which are read as bf16 only if that dtype is asked for");
  EXPECT_EQ(reader_error(fixture("bf16.npy"), Dtype::kF16),
            "bf16.npy: holds raw elements of 2 bytes ('<V2'); expected f16");
  EXPECT_EQ(reader_error(fixture("f8e4m3.npy"), Dtype::kI8),
            "f8e4m3.npy: holds raw elements of 1 bytes ('<V1'); expected i8");
}

TEST(ArrayReader, RefusesWhatIsNoRegularFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("folder.npy"));
  ASSERT_EQ(mkfifo(folder.file("pipe.npy").c_str(), 0600), 0);
  const auto error = [&](const std::string& name) {
    return error_of([&] { ArrayReader{folder.file(name)}; }, folder.file(""));
  };
  EXPECT_EQ(error("none.npy"), "none.npy: cannot open it: No such file or directory");
  EXPECT_EQ(error("folder.npy"), "folder.npy: is a folder; expected a regular file");
  EXPECT_EQ(error("pipe.npy"), "pipe.npy: is not a regular file; expected a regular file");
}

TEST(ArrayReader, RefusesMoreDimensionsThanABoxHas) {
  const TemporaryFolder folder;
  using namespace std::string_literals;
  const std::string fields = "{'descr':'|i1','fortran_order':False,'shape':(1,1,1,1,1,1,1,1,1)}";
  write_bytes(folder.file("a.npy"), "\x93NUMPY\x01\x00"s + static_cast<char>(fields.size()) + '\0' + fields + "x");
  EXPECT_EQ(error_of([&] { ArrayReader{folder.file("a.npy")}; }, folder.file("")),
            "a.npy: has 9 dimensions; at most 8 are possible");
}

TEST(ArrayReader, AFileThatShrinksIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.npy");
  write_array(path, counting(Dtype::kF32, {3, 4}), "a");
  const ArrayReader reader(path);
  std::filesystem::resize_file(path, 150);
  EXPECT_EQ(error_of([&] { reader.read(); }, path), ": ends at byte 150; expected at least 176 bytes");
}

TEST(ArrayReader, ListsWhatAFileHolds) {
  const std::vector<FileArray> several = list_arrays(fixture("several.safetensors"));
  ASSERT_EQ(several.size(), 9U);
  EXPECT_EQ(several[0].name, "steps");
  EXPECT_EQ(several[0].type, "I64");
  EXPECT_EQ(several[0].dtype, std::nullopt);
  EXPECT_EQ(several[1].dtype, Dtype::kF64);
  EXPECT_EQ(list_arrays(fixture("bf16.npy"))[0].type, "<V2");
  EXPECT_EQ(list_arrays(fixture("bf16.npy"))[0].shape, (Shape{3, 4}));
}

/// Every box of an array, read on its own into a strided place of a larger array, is that part of the whole.
void reads_every_box(const std::string& file) {
  const ArrayReader reader(file);
  const HostArray whole = reader.read();
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    Box box;
    Shape roomy;
    Box inside;
    for (const std::int64_t extent : reader.shape()) {
      std::uniform_int_distribution<std::int64_t> coordinate(0, extent);
      const std::int64_t a = coordinate(random);
      const std::int64_t b = coordinate(random);
      box.push_back({std::min(a, b), std::max(a, b)});
      roomy.push_back(box[box.num_dims() - 1].size() + 3);
      inside.push_back({1, 1 + box[box.num_dims() - 1].size()});
    }
    HostArray target(reader.dtype(), roomy);
    HostArray expected(reader.dtype(), roomy);
    reader.read_box(box, target.view(inside));
    const ConstView from = whole.view(box);
    const View to = expected.view(inside);
    for (std::int64_t i = 0; i < from.extents[0]; ++i)
      for (std::int64_t j = 0; j < from.extents[1]; ++j)
        for (std::int64_t k = 0; k < from.extents[2]; ++k)
          reinterpret_cast<double*>(to.data)[i * to.strides[0] + j * to.strides[1] + k] =
              reinterpret_cast<const double*>(from.data)[i * from.strides[0] + j * from.strides[1] + k];
    EXPECT_EQ(target, expected) << box.str();
  }
}

TEST(ArrayReader, ReadsAnyBoxIntoStridedMemory) {
  const TemporaryFolder folder;
  write_array(folder.file("a.npy"), random_array(Dtype::kF64, {9, 40, 130}, {.seed = 3}), "a");
  reads_every_box(folder.file("a.npy"));
  reads_every_box(fixture("f64_big_endian_fortran_3d.npy"));
}

TEST(ArrayReader, ReadsRowsLongerThanItsStaging) {
  const TemporaryFolder folder;
  const HostArray array = random_array(Dtype::kF32, {3, 700'000}, {.seed = 3});
  write_array(folder.file("a.safetensors"), array, "a");
  const ArrayReader reader(folder.file("a.safetensors"));
  EXPECT_EQ(reader.read(), array);
  HostArray part(Dtype::kF32, {2, 500'000});
  reader.read_box(Box{{1, 3}, {100'000, 600'000}}, part.view());
  EXPECT_EQ(part[0], array[800'000]);
  EXPECT_EQ(part[999'999], array[1'999'999]);
}

}  // namespace
}  // namespace meshmul
