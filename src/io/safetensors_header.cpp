#include "safetensors_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/array_bytes.hpp"
#include "meshmul/error.hpp"
#include "safetensors_json.hpp"

namespace meshmul {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kLengthBytes = 8;
constexpr std::int64_t kMaxHeaderBytes = 100'000'000;  // the limit of the format

struct Type {
  std::string_view name;
  std::int64_t element_bytes;
  std::optional<Dtype> dtype;
  std::string_view words;
};
constexpr std::array<Type, 17> kTypes{{{"F64", 8, Dtype::kF64, "64-bit floats"},
                                       {"F32", 4, Dtype::kF32, "32-bit floats"},
                                       {"BF16", 2, Dtype::kBf16, "bfloat16"},
                                       {"F16", 2, Dtype::kF16, "16-bit floats"},
                                       {"F8_E4M3", 1, Dtype::kF8e4m3, "8-bit floats"},
                                       {"I8", 1, Dtype::kI8, "8-bit integers"},
                                       {"I32", 4, Dtype::kI32, "32-bit integers"},
                                       {"BOOL", 1, std::nullopt, "truth values"},
                                       {"U8", 1, std::nullopt, "8-bit unsigned integers"},
                                       {"U16", 2, std::nullopt, "16-bit unsigned integers"},
                                       {"U32", 4, std::nullopt, "32-bit unsigned integers"},
                                       {"U64", 8, std::nullopt, "64-bit unsigned integers"},
                                       {"I16", 2, std::nullopt, "16-bit integers"},
                                       {"I64", 8, std::nullopt, "64-bit integers"},
                                       {"F8_E5M2", 1, std::nullopt, "8-bit floats with a 5-bit exponent"},
                                       {"F8_E8M0", 1, std::nullopt, "8-bit scales"},
                                       {"C64", 8, std::nullopt, "64-bit complex numbers"}}};

[[noreturn]] void fail(const InputFile& file, const std::string& sentence) {
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", file.path(), sentence));
}

/// The text of the header, and where the elements begin.
std::string read_header_text(const InputFile& file) {
  if (file.size() == 0) fail(file, "is empty; expected a .safetensors file");
  if (file.size() < kLengthBytes)
    fail(file, fmt::format("is cut short: has {} bytes, the length of its header takes 8", file.size()));
  std::array<std::byte, kLengthBytes> length_bytes{};
  file.read_at(0, length_bytes);
  std::uint64_t length = 0;
  for (std::size_t i = length_bytes.size(); i-- > 0;)
    length = (length << 8U) | std::to_integer<std::uint64_t>(length_bytes[i]);
  if (length > static_cast<std::uint64_t>(kMaxHeaderBytes))
    fail(file, fmt::format("has a header of {} bytes; expected at most {}", length, kMaxHeaderBytes));
  if (static_cast<std::int64_t>(length) > file.size() - kLengthBytes)
    fail(file, fmt::format("is cut short: has {} bytes, its header takes {}", file.size(),
                           static_cast<std::int64_t>(length) + kLengthBytes));
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read_at(kLengthBytes, std::as_writable_bytes(std::span(text)));
  return text;
}

/// The whole numbers below 2^62 of a JSON array.
Shape read_numbers(const InputFile& file, const std::string& tensor, const Json& fields, const char* key) {
  Shape numbers;
  const auto array = fields.find(key);
  if (array == fields.end() || !array->is_array())
    fail(file, fmt::format("tensor {} has no {}; expected an array of numbers", tensor, key));
  for (const Json& number : *array) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > std::uint64_t{1} << 62U)
      fail(file, fmt::format("tensor {} has {} in its {}; expected a whole number below 2^62", tensor,
                             json_text(number), key));
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

/// A tensor, and the bytes that it takes.
struct Placed {
  StoredArray stored;
  std::int64_t num_bytes = 0;
};

/// `data_offset` is where the elements begin in the file.
Placed read_tensor(const InputFile& file, const std::string& tensor, const Json& fields, std::int64_t data_offset) {
  if (!fields.is_object()) fail(file, fmt::format("tensor {} is not described by an object", tensor));
  const auto type_name = fields.find("dtype");
  if (type_name == fields.end() || !type_name->is_string())
    fail(file, fmt::format("tensor {} has no dtype; expected a string", tensor));
  Placed placed;
  StoredArray& stored = placed.stored;
  stored.array = {tensor, type_name->get<std::string>(), std::nullopt, read_numbers(file, tensor, fields, "shape")};
  // 1. Its bytes lie in the file.
  const Shape offsets = read_numbers(file, tensor, fields, "data_offsets");
  const std::int64_t data_bytes = file.size() - data_offset;
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    fail(file,
         fmt::format("tensor {} has data_offsets [{}]; expected begin and end", tensor, fmt::join(offsets, ", ")));
  if (offsets[1] > data_bytes)
    fail(file, fmt::format("is cut short: tensor {} ends at byte {} of the data, of which there are {}", tensor,
                           offsets[1], data_bytes));
  stored.offset = data_offset + offsets[0];
  placed.num_bytes = offsets[1] - offsets[0];
  // 2. They are as many as its type and shape take. Types that came later than this list are refused when selected.
  const auto type =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& t) { return t.name == stored.array.type; });
  stored.type_in_words = type == kTypes.end() ? "elements of unknown type" : type->words;
  if (type == kTypes.end()) return placed;
  stored.array.dtype = type->dtype;
  stored.element_bytes = type->element_bytes;
  const std::optional<std::int64_t> bytes = count_bytes(stored.array.shape, type->element_bytes);
  if (!bytes)
    fail(file, fmt::format("tensor {} of {} [{}] has {}", tensor, type->name, fmt::join(stored.array.shape, ", "),
                           more_bytes_than_count(stored.array.shape)));
  if (bytes != placed.num_bytes)
    fail(file, fmt::format("tensor {} of {} [{}] has {} bytes, which do not fit", tensor, type->name,
                           fmt::join(stored.array.shape, ", "), placed.num_bytes));
  return placed;
}

/// Tensors follow one another from the first byte of the data to the last.
void check_order(const InputFile& file, const std::vector<Placed>& tensors, std::int64_t data_offset) {
  std::int64_t end = data_offset;
  for (const Placed& placed : tensors) {
    const std::int64_t gap = placed.stored.offset - end;
    if (gap != 0)
      fail(file, fmt::format("tensor {} begins {} bytes {} the end of the tensor before it", placed.stored.array.name,
                             std::abs(gap), gap > 0 ? "after" : "before"));
    end += placed.num_bytes;
  }
  if (end != file.size()) fail(file, fmt::format("has {} bytes that belong to no tensor", file.size() - end));
}

}  // namespace

std::vector<StoredArray> read_safetensors_header(const InputFile& file) {
  const std::string text = read_header_text(file);
  const std::int64_t data_offset = kLengthBytes + static_cast<std::int64_t>(text.size());
  const Json header = parse_safetensors_json(text, file.path());
  std::vector<Placed> tensors;
  for (const auto& [name, fields] : header.items())
    if (name != kSafetensorsMetadata) tensors.push_back(read_tensor(file, name, fields, data_offset));
  // Empty tensors lie before the one that begins where they do.
  std::sort(tensors.begin(), tensors.end(), [](const Placed& a, const Placed& b) {
    return std::pair(a.stored.offset, a.num_bytes) < std::pair(b.stored.offset, b.num_bytes);
  });
  check_order(file, tensors, data_offset);
  std::vector<StoredArray> arrays;
  for (Placed& placed : tensors) arrays.push_back(std::move(placed.stored));
  return arrays;
}

std::string print_safetensors_header(const std::string& tensor, Dtype dtype, const Shape& shape) {
  if (tensor == kSafetensorsMetadata)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("a tensor cannot have the name {}, which is reserved", tensor));
  std::string quoted;
  try {
    quoted = Json(tensor).dump();
  } catch (const Json::type_error&) {
    throw Error(ErrorCode::kInvalidArgument, "the name of a tensor has to be UTF-8");
  }
  const auto type = std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& t) { return t.dtype == dtype; });
  std::string header = fmt::format(R"({{{}:{{"dtype":"{}","shape":[{}],"data_offsets":[0,{}]}}}})", quoted, type->name,
                                   fmt::join(shape, ","), Box::whole(shape).num_elements() * size_bytes(dtype));
  header.resize((header.size() + 7) / 8 * 8, ' ');  // elements begin aligned
  std::string length;
  for (unsigned i = 0; i < 8; ++i) length += static_cast<char>((header.size() >> (8 * i)) & 0xFFU);
  return length + header;
}

}  // namespace meshmul
