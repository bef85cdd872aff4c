#include "io/npy_header.hpp"

#include <gmock/gmock.h>

#include "files.hpp"

namespace meshmul {
namespace {

std::string fields_error(const std::string& text) {
  return error_of([&] { parse_npy_fields(text, "a.npy"); }, "a.npy: ");
}

/// The error of reading a file of these bytes.
std::string header_error(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.npy");
  write_bytes(path, bytes);
  return error_of([&] { read_npy_header(InputFile(path)); }, path + ": ");
}

/// A file of format version 1 with these fields and `data_bytes` bytes of data.
std::string npy(const std::string& fields, std::size_t data_bytes) {
  using namespace std::string_literals;
  return "\x93NUMPY\x01\x00"s + static_cast<char>(fields.size() & 0xFFU) + static_cast<char>(fields.size() >> 8U) +
         fields + std::string(data_bytes, '\0');
}

TEST(NpyFields, AreReadInAnyOrderAndSpacing) {
  const NpyFields fields{"<f4", true, {3, 4}};
  EXPECT_EQ(parse_npy_fields("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }   \n", ""), fields);
  EXPECT_EQ(parse_npy_fields(R"({"shape":(3,4,),"descr":"<f4","fortran_order":True})", ""), fields);
  EXPECT_EQ(parse_npy_fields("{'descr':'','fortran_order':False,'shape':()}", ""), (NpyFields{"", false, {}}));
  EXPECT_EQ(parse_npy_fields("{'descr':'|i1','fortran_order':False,'shape':(7,)}", ""), (NpyFields{"|i1", false, {7}}));
}

TEST(NpyFields, AreRefusedWithThePlaceAndWhatWasExpected) {
  EXPECT_EQ(fields_error(""), "its header is wrong at character 0; expected '{'");
  EXPECT_EQ(fields_error("{}"), "its header is wrong at character 2; expected a key 'descr'");
  EXPECT_EQ(fields_error("{'descr': '<f4'}"), "its header is wrong at character 16; expected a key 'fortran_order'");
  EXPECT_EQ(fields_error("{'descr': '<f4', 'fortran_order': False}"),
            "its header is wrong at character 40; expected a key 'shape'");
  EXPECT_EQ(fields_error("{'descr': '<f4', 'descr': '<f4'}"),
            "its header is wrong at character 17; expected key 'descr' only once");
  EXPECT_EQ(fields_error("{'order': 1}"),
            "its header is wrong at character 1; expected one of the keys 'descr', 'fortran_order' and 'shape'");
  EXPECT_EQ(fields_error("{'descr' '<f4'}"), "its header is wrong at character 9; expected ':'");
  EXPECT_EQ(fields_error("{'descr': 4}"), "its header is wrong at character 10; expected a string");
  EXPECT_EQ(fields_error("{'descr': '<f4"), "its header is wrong at character 14; expected the end of a string");
  EXPECT_EQ(fields_error("{'descr': '\\x3c'}"),
            "its header is wrong at character 11; expected a string without a backslash");
  EXPECT_EQ(fields_error("{'fortran_order': 0}"), "its header is wrong at character 18; expected True or False");
  EXPECT_EQ(fields_error("{'shape': 3}"), "its header is wrong at character 10; expected '('");
  EXPECT_EQ(fields_error("{'shape': (3)}"), "its header is wrong at character 12; expected a comma, as in '(3,)'");
  EXPECT_EQ(fields_error("{'shape': (3, -1)}"), "its header is wrong at character 14; expected a size");
  EXPECT_EQ(fields_error("{'shape': (3, 99999999999999999999)}"),
            "its header is wrong at character 14; expected a size below 2^62");
  EXPECT_EQ(fields_error("{'shape': (3, 4]}"), "its header is wrong at character 15; expected ')'");
  EXPECT_EQ(fields_error("{'shape': () 'descr'}"), "its header is wrong at character 13; expected '}'");
  EXPECT_EQ(fields_error("{'descr':'','fortran_order':False,'shape':()} import os"),
            "its header is wrong at character 46; expected the end of the header");
  EXPECT_EQ(fields_error("{'descr': [('a', '<f4')]}"), "its elements have named fields; expected plain numbers");
}

TEST(NpyHeader, OfEveryVersionIsRead) {
  for (const char* name : {"f32.npy", "f32_version_2.npy", "f32_version_3.npy"}) {
    const StoredArray stored = read_npy_header(InputFile(fixture(name)));
    EXPECT_EQ(stored.array.dtype, Dtype::kF32) << name;
    EXPECT_EQ(stored.array.shape, (Shape{3, 4})) << name;
    EXPECT_EQ(stored.offset, 128) << name;
  }
}

TEST(NpyHeader, KeepsTheOrderOfBytesAndDimensions) {
  const StoredArray stored = read_npy_header(InputFile(fixture("f64_big_endian_fortran_3d.npy")));
  EXPECT_TRUE(stored.big_endian);
  EXPECT_TRUE(stored.fortran_order);
  EXPECT_FALSE(read_npy_header(InputFile(fixture("i32.npy"))).big_endian);
  EXPECT_FALSE(read_npy_header(InputFile(fixture("i32.npy"))).fortran_order);
}

TEST(NpyHeader, NamesOfEarlyVersionsOfMlDtypesAreKnown) {
  const TemporaryFolder folder;
  write_bytes(folder.file("a.npy"), npy("{'descr':'bfloat16','fortran_order':False,'shape':(2,)}", 4));
  EXPECT_EQ(read_npy_header(InputFile(folder.file("a.npy"))).array.dtype, Dtype::kBf16);
  write_bytes(folder.file("a.npy"), npy("{'descr':'float8_e4m3fn','fortran_order':False,'shape':(2,)}", 2));
  EXPECT_EQ(read_npy_header(InputFile(folder.file("a.npy"))).array.dtype, Dtype::kF8e4m3);
}

TEST(NpyHeader, IsRefusedWhenTheFileIsNoNpyFile) {
  using namespace std::string_literals;
  EXPECT_EQ(header_error(""), "is empty; expected a .npy file");
  EXPECT_EQ(header_error("hello, world"), "does not begin with the six bytes of a .npy file");
  EXPECT_EQ(header_error("\x93NUMPY\x01\x00"s), "is cut short: has 8 bytes, a header has at least 10");
  EXPECT_EQ(header_error("\x93NUMPY\x02\x00\x01\x00"s), "is cut short: has 10 bytes, a header has at least 12");
  EXPECT_EQ(header_error("\x93NUMPY\x04\x00\x01\x00"s), "has format version 4.0; expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(header_error("\x93NUMPY\x01\x01\x01\x00"s), "has format version 1.1; expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(header_error("\x93NUMPY\x01\x00\x40\x00{}"s), "is cut short: has 12 bytes, its header takes 74");
  EXPECT_EQ(header_error("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s),
            "has a header of 4294967295 bytes; expected at most 1048576");
}

TEST(NpyHeader, IsRefusedWhenItDoesNotFitTheSizeOfTheFile) {
  const auto error = [](const std::string& shape, std::size_t data_bytes) {
    return header_error(npy("{'descr':'<f4','fortran_order':False,'shape':" + shape + "}", data_bytes));
  };
  EXPECT_EQ(error("(2, 3)", 24), "no error");
  EXPECT_EQ(error("(2, 3)", 23), "is cut short: [2, 3] elements of 4 bytes take 24 bytes, 23 are left");
  EXPECT_EQ(error("(2, 3)", 25), "goes on after its array: [2, 3] elements of 4 bytes take 24 bytes, 25 are left");
  EXPECT_EQ(error("(2147483648, 2147483648)", 4),
            "claims to hold [2147483648, 2147483648] elements of 4 bytes, more than 2^62 bytes");
  EXPECT_EQ(error("(2147483648, 2147483648, 0)", 0),
            "claims to hold [2147483648, 2147483648, 0] elements of 4 bytes, more than 2^62 bytes even without its "
            "empty dimensions");
  EXPECT_EQ(error("(2147483648, 0)", 0), "no error");
}

TEST(NpyHeader, IsRefusedWhenTheTypeIsUnknown) {
  const auto error = [](const std::string& descr) {
    return header_error(npy("{'descr':'" + descr + "','fortran_order':False,'shape':(0,)}", 0));
  };
  EXPECT_EQ(error("<x4"), "has elements of unknown type '<x4'; expected one such as '<f4'");
  EXPECT_EQ(error(""), "has elements of unknown type ''; expected one such as '<f4'");
  EXPECT_EQ(error("<i2000000000"), "no error");  // refused once somebody wants its elements
}

TEST(NpyHeader, IsPrintedAsNumpyPrintsIt) {
  const auto header_of = [](const std::string& name) { return read_bytes(fixture(name)).substr(0, 128); };
  EXPECT_EQ(print_npy_header(Dtype::kF64, {3, 4}), header_of("f64.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kF32, {3, 4}), header_of("f32.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kBf16, {3, 4}), header_of("bf16.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kF16, {3, 4}), header_of("f16.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kF8e4m3, {3, 4}), header_of("f8e4m3.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kI8, {3, 4}), header_of("i8.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kI32, {3, 4}), header_of("i32.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kF32, {}), header_of("f32_scalar.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kF32, {5}), header_of("f32_vector.npy"));
  EXPECT_EQ(print_npy_header(Dtype::kF32, {0, 3}), header_of("f32_empty.npy"));
}

TEST(NpyHeader, OfManyDimensionsStaysAligned) {
  const std::string header = print_npy_header(Dtype::kF32, Shape(8, 1'000'000));
  EXPECT_EQ(header.size() % 64, 0U);
  EXPECT_EQ(parse_npy_fields(std::string_view(header).substr(10), "").shape, Shape(8, 1'000'000));
}

}  // namespace
}  // namespace meshmul
