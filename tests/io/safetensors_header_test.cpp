#include "io/safetensors_header.hpp"

#include <gmock/gmock.h>

#include "files.hpp"

namespace meshmul {
namespace {

/// A file with this header and `data_bytes` bytes of data.
std::string safetensors(const std::string& header, std::size_t data_bytes) {
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>((header.size() >> (8 * i)) & 0xFFU);
  return bytes + header + std::string(data_bytes, '\0');
}

std::string error_of_bytes(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("m.safetensors");
  write_bytes(path, bytes);
  return error_of([&] { read_safetensors_header(InputFile(path)); }, path + ": ");
}

/// The error of a file whose header describes tensor W in this way.
std::string tensor_error(const std::string& fields, std::size_t data_bytes) {
  return error_of_bytes(safetensors(R"({"W":)" + fields + "}", data_bytes));
}

TEST(SafetensorsHeader, GivesAllTensorsInTheOrderOfTheFile) {
  const std::vector<StoredArray> tensors = read_safetensors_header(InputFile(fixture("several.safetensors")));
  std::vector<std::string> names;
  for (const StoredArray& stored : tensors) names.push_back(stored.array.name);
  EXPECT_THAT(names, ::testing::ElementsAre("steps", "bias", "none", "scale", "counts", "layers.0.w", "half",
                                            "layers.1.w", "bytes"));
  EXPECT_EQ(tensors[0].array.dtype, std::nullopt);
  EXPECT_EQ(tensors[0].array.type, "I64");
  EXPECT_EQ(tensors[3].array.shape, Shape{});
  EXPECT_EQ(tensors[5].array.dtype, Dtype::kBf16);
  EXPECT_EQ(tensors[7].array.dtype, Dtype::kF8e4m3);
}

TEST(SafetensorsHeader, WithoutTensorsIsRead) {
  EXPECT_EQ(error_of_bytes(safetensors("{}", 0)), "no error");
  EXPECT_EQ(error_of_bytes(safetensors(R"({"__metadata__":{"a":"b"}})", 0)), "no error");
}

TEST(SafetensorsHeader, LengthIsCheckedBeforeItIsRead) {
  EXPECT_EQ(error_of_bytes(""), "is empty; expected a .safetensors file");
  EXPECT_EQ(error_of_bytes("short"), "is cut short: has 5 bytes, the length of its header takes 8");
  EXPECT_EQ(error_of_bytes(std::string(8, '\xff')),
            "has a header of 18446744073709551615 bytes; expected at most 100000000");
  EXPECT_EQ(error_of_bytes(safetensors("{}", 0).substr(0, 9)), "is cut short: has 9 bytes, its header takes 10");
}

TEST(SafetensorsHeader, ThatIsNoTableOfTensorsIsRefused) {
  EXPECT_EQ(error_of_bytes(safetensors("{", 0)), "its header is wrong at character 1; expected JSON");
  EXPECT_EQ(error_of_bytes(safetensors("{\"W\":}", 0)), "its header is wrong at character 5; expected JSON");
  EXPECT_EQ(error_of_bytes(safetensors("{\"\xff\":{}}", 0)), "its header is wrong at character 2; expected JSON");
  EXPECT_EQ(error_of_bytes(safetensors("{} {}", 0)), "its header is wrong at character 3; expected JSON");
  EXPECT_EQ(tensor_error("1e999", 0), "has a number in its header that is out of range");
  for (const char* text : {"", "[]", " {}", "\xEF\xBB\xBF{}"})
    EXPECT_EQ(error_of_bytes(safetensors(text, 0)),
              "its header is wrong at character 0; expected '{' and a JSON object");
  EXPECT_EQ(tensor_error(std::string(100'000, '['), 0), "has a header that is nested too deeply");
  EXPECT_EQ(tensor_error(R"({"shape":[[3]]})", 0), "has a header that is nested too deeply");
  EXPECT_EQ(error_of_bytes(safetensors(R"({"W":{},"W":{}})", 0)), "has a header in which the key W stands twice");
  EXPECT_EQ(tensor_error(R"({"dtype":"F32","dtype":"F64"})", 0), "has a header in which the key dtype stands twice");
}

TEST(SafetensorsHeader, WithANulIsRefused) {
  const std::string nul(1, '\0');
  EXPECT_EQ(error_of_bytes(safetensors("{}" + nul, 0)), "its header is wrong at character 2; expected no NUL");
  EXPECT_EQ(error_of_bytes(safetensors("{\"" + nul, 0)), "its header is wrong at character 2; expected no NUL");
  EXPECT_EQ(tensor_error(R"({"dtype":"I8","shape":[0],"data_offsets":[0,0],"\u0000":1})", 0), "no error");
}

TEST(SafetensorsHeader, WithMetadataThatAreNoStringsIsRefused) {
  const auto error = [](const std::string& metadata) {
    return error_of_bytes(safetensors(R"({"__metadata__":)" + metadata + "}", 0));
  };
  EXPECT_EQ(error(R"({"format":"pt","note":""})"), "no error");
  EXPECT_EQ(error("3"), "has 3 as __metadata__; expected an object of strings");
  EXPECT_EQ(error(R"({"format":"pt","epoch":7})"), "has 7 as epoch in __metadata__; expected a string");
  EXPECT_EQ(error(R"({"who":{"a":"b"}})"), "has {\"a\":\"b\"} as who in __metadata__; expected a string");
}

TEST(SafetensorsHeader, WithATensorThatLacksAFieldIsRefused) {
  EXPECT_EQ(tensor_error("3", 0), "tensor W is not described by an object");
  EXPECT_EQ(tensor_error("{}", 0), "tensor W has no dtype; expected a string");
  EXPECT_EQ(tensor_error(R"({"dtype":32})", 0), "tensor W has no dtype; expected a string");
  EXPECT_EQ(tensor_error(R"({"dtype":"F32"})", 0), "tensor W has no shape; expected an array of numbers");
  EXPECT_EQ(tensor_error(R"({"dtype":"F32","shape":[1]})", 0),
            "tensor W has no data_offsets; expected an array of numbers");
  EXPECT_EQ(tensor_error(R"({"dtype":"F32","shape":[-1]})", 0),
            "tensor W has -1 in its shape; expected a whole number below 2^62");
  EXPECT_EQ(tensor_error(R"({"dtype":"F32","shape":[1.5]})", 0),
            "tensor W has 1.5 in its shape; expected a whole number below 2^62");
  EXPECT_EQ(tensor_error(R"({"dtype":"F32","shape":[18446744073709551615]})", 0),
            "tensor W has 18446744073709551615 in its shape; expected a whole number below 2^62");
}

TEST(SafetensorsHeader, WithBytesThatDoNotFitATensorIsRefused) {
  const auto error = [](const std::string& shape, const std::string& offsets, std::size_t data_bytes) {
    return tensor_error(R"({"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}", data_bytes);
  };
  EXPECT_EQ(error("[2, 3]", "[0, 24]", 24), "no error");
  EXPECT_EQ(error("[2, 3]", "[0, 24]", 23),
            "is cut short: tensor W ends at byte 24 of the data, of which there are 23");
  EXPECT_EQ(error("[2, 3]", "[24, 0]", 24), "tensor W has data_offsets [24, 0]; expected begin and end");
  EXPECT_EQ(error("[2, 3]", "[24]", 24), "tensor W has data_offsets [24]; expected begin and end");
  EXPECT_EQ(error("[2, 3]", "[0, 20]", 20), "tensor W of F32 [2, 3] has 20 bytes, which do not fit");
  EXPECT_EQ(error("[4611686018427387904, 4]", "[0, 0]", 0),
            "tensor W of F32 [4611686018427387904, 4] has more than 2^62 bytes");
  EXPECT_EQ(error("[4611686018427387904, 4, 0]", "[0, 0]", 0),
            "tensor W of F32 [4611686018427387904, 4, 0] has more than 2^62 bytes even without its empty dimensions");
  EXPECT_EQ(error("[1152921504606846976, 0]", "[0, 0]", 0), "no error");
}

TEST(SafetensorsHeader, WithOverlapOrHoleIsRefused) {
  const auto error = [](const std::string& first, const std::string& second, std::size_t data_bytes) {
    return error_of_bytes(safetensors(R"({"A":{"dtype":"I8","shape":[4],"data_offsets":)" + first +
                                          R"(},"B":{"dtype":"I8","shape":[4],"data_offsets":)" + second + "}}",
                                      data_bytes));
  };
  EXPECT_EQ(error("[0, 4]", "[4, 8]", 8), "no error");
  EXPECT_EQ(error("[4, 8]", "[0, 4]", 8), "no error");
  EXPECT_EQ(error("[0, 4]", "[2, 6]", 8), "tensor B begins 2 bytes before the end of the tensor before it");
  EXPECT_EQ(error("[0, 4]", "[6, 10]", 10), "tensor B begins 2 bytes after the end of the tensor before it");
  EXPECT_EQ(error("[1, 5]", "[5, 9]", 9), "tensor A begins 1 bytes after the end of the tensor before it");
  EXPECT_EQ(error("[0, 4]", "[4, 8]", 11), "has 3 bytes that belong to no tensor");
}

TEST(SafetensorsHeader, AcceptsTypesThatCameLater) {
  EXPECT_EQ(tensor_error(R"({"dtype":"F4","shape":[3],"data_offsets":[0,2]})", 2), "no error");
}

TEST(SafetensorsHeader, IsPrintedAsTheLibraryPrintsIt) {
  const std::string file = read_bytes(fixture("single.safetensors"));
  EXPECT_EQ(print_safetensors_header("C", Dtype::kF32, {3, 4}), file.substr(0, file.size() - 48));
}

TEST(SafetensorsHeader, QuotesTheNameOfTheTensor) {
  const TemporaryFolder folder;
  const std::string name = "a\"b\\c\n\xC3\xA4";
  write_bytes(folder.file("m.safetensors"), print_safetensors_header(name, Dtype::kI8, {0}));
  EXPECT_EQ(read_safetensors_header(InputFile(folder.file("m.safetensors")))[0].array.name, name);
  EXPECT_EQ(error_of([] { print_safetensors_header("\xff", Dtype::kI8, {}); }), "the name of a tensor has to be UTF-8");
  EXPECT_EQ(error_of([] { print_safetensors_header("__metadata__", Dtype::kI8, {}); }),
            "a tensor cannot have the name __metadata__, which is reserved");
}

}  // namespace
}  // namespace meshmul
