#include "npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/array_bytes.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// Longer headers describe structured elements, or are an attack.
constexpr std::int64_t kMaxHeaderBytes = std::int64_t{1} << 20;

[[noreturn]] void fail(const InputFile& file, const std::string& sentence) {
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", file.path(), sentence));
}

std::string read_text(const InputFile& file, std::int64_t offset, std::int64_t length) {
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read_at(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

/// Begin and length of the literal in the file.
struct HeaderPlace {
  std::int64_t offset = 0;
  std::int64_t length = 0;
};

HeaderPlace find_header(const InputFile& file) {
  const std::string start = read_text(file, 0, std::min<std::int64_t>(file.size(), 12));
  if (start.empty()) fail(file, "is empty; expected a .npy file");
  if (!start.starts_with(kMagic)) fail(file, "does not begin with the six bytes of a .npy file");
  if (start.size() < 10) fail(file, fmt::format("is cut short: has {} bytes, a header has at least 10", start.size()));
  const auto byte = [&](std::size_t i) { return static_cast<std::int64_t>(static_cast<unsigned char>(start[i])); };
  const std::int64_t version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0)
    fail(file, fmt::format("has format version {}.{}; expected 1.0, 2.0 or 3.0", version, byte(7)));
  // Version 1 counts the literal in two bytes, the later ones in four; little-endian.
  HeaderPlace place{10, byte(8) + (byte(9) << 8)};
  if (version > 1) {
    if (start.size() < 12)
      fail(file, fmt::format("is cut short: has {} bytes, a header has at least 12", start.size()));
    place = {12, place.length + (byte(10) << 16) + (byte(11) << 24)};
  }
  if (place.length > kMaxHeaderBytes)
    fail(file, fmt::format("has a header of {} bytes; expected at most {}", place.length, kMaxHeaderBytes));
  if (place.offset + place.length > file.size())
    fail(file,
         fmt::format("is cut short: has {} bytes, its header takes {}", file.size(), place.offset + place.length));
  return place;
}

struct Kind {
  char letter;
  bool counts_bytes;  ///< the number after the letter is the size of an element
  std::string_view words;
};
constexpr std::array<Kind, 11> kKinds{{{'f', true, "{}-bit floats"},
                                       {'i', true, "{}-bit integers"},
                                       {'u', true, "{}-bit unsigned integers"},
                                       {'c', true, "{}-bit complex numbers"},
                                       {'V', true, "raw elements of {} bits"},
                                       {'b', true, "truth values"},
                                       {'O', false, "Python objects"},
                                       {'S', true, "strings of bytes"},
                                       {'U', false, "strings"},
                                       {'M', false, "dates"},
                                       {'m', false, "time differences"}}};

/// Fills in what a `descr` such as `<f4` says of the elements.
void read_type(const InputFile& file, const std::string& descr, StoredArray& stored) {
  stored.array.type = descr;
  // Early versions of ml_dtypes wrote names.
  if (descr == "bfloat16" || descr == "float8_e4m3fn") {
    stored.array.dtype = descr == "bfloat16" ? Dtype::kBf16 : Dtype::kF8e4m3;
    stored.element_bytes = size_bytes(*stored.array.dtype);
    return;
  }
  std::string_view rest = descr;
  if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
    stored.big_endian = rest[0] == '>';
    rest.remove_prefix(1);
  }
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const Kind& known) { return !rest.empty() && known.letter == rest[0]; });
  if (kind == kKinds.end())
    fail(file, fmt::format("has elements of unknown type '{}'; expected one such as '<f4'", descr));
  int bytes = 0;
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data() + 1, end, bytes);
  const bool sized = kind->counts_bytes && error == std::errc() && stop == end && bytes > 0 && bytes <= 1 << 20;
  stored.raw = kind->letter == 'V' && sized;
  stored.element_bytes = sized ? bytes : 0;
  stored.type_in_words = fmt::format(fmt::runtime(kind->words), sized ? bytes * 8 : 0);
  const std::string_view numbers = std::string_view("f8f4f2i1i4");
  constexpr std::array kDtypes{Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kI8, Dtype::kI32};
  for (std::size_t i = 0; i < kDtypes.size(); ++i)
    if (rest == numbers.substr(2 * i, 2)) stored.array.dtype = kDtypes[i];
}

/// As numpy spells it. Types that numpy does not have are raw elements, which is what ml_dtypes makes of them as well.
std::string_view descr_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return "<f8";
    case Dtype::kF32: return "<f4";
    case Dtype::kBf16: return "<V2";
    case Dtype::kF16: return "<f2";
    case Dtype::kF8e4m3: return "<V1";
    case Dtype::kI8: return "|i1";
    case Dtype::kI32: return "<i4";
  }
  __builtin_unreachable();
}

}  // namespace

StoredArray read_npy_header(const InputFile& file) {
  const HeaderPlace place = find_header(file);
  const NpyFields fields = parse_npy_fields(read_text(file, place.offset, place.length), file.path());
  StoredArray stored;
  read_type(file, fields.descr, stored);
  stored.array.shape = fields.shape;
  stored.fortran_order = fields.fortran_order;
  stored.offset = place.offset + place.length;
  // The size can be checked where the type has one; `settle_dtype` refuses the others.
  if (stored.element_bytes == 0) return stored;
  const std::optional<std::int64_t> bytes = count_bytes(fields.shape, stored.element_bytes);
  const std::int64_t rest = file.size() - stored.offset;
  const std::string array =
      fmt::format("[{}] elements of {} bytes", fmt::join(fields.shape, ", "), stored.element_bytes);
  if (!bytes) fail(file, fmt::format("claims to hold {}, {}", array, more_bytes_than_count(fields.shape)));
  if (*bytes > rest) fail(file, fmt::format("is cut short: {} take {} bytes, {} are left", array, *bytes, rest));
  if (*bytes < rest)
    fail(file, fmt::format("goes on after its array: {} take {} bytes, {} are left", array, *bytes, rest));
  return stored;
}

std::string print_npy_header(Dtype dtype, const Shape& shape) {
  std::string fields = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr_of(dtype),
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // numpy leaves room for the first extent to grow to 21 digits, then ends the header on a multiple of 64 with a
  // newline.
  if (!shape.empty()) fields += std::string(21 - fmt::formatted_size("{}", shape[0]), ' ');
  const std::size_t used = kMagic.size() + 4 + fields.size() + 1;
  fields += std::string(64 - used % 64, ' ') + '\n';
  const auto length = static_cast<unsigned>(fields.size());
  std::string header(kMagic);
  for (const unsigned byte : {1U, 0U, length & 0xFFU, length >> 8U}) header += static_cast<char>(byte);
  return header + fields;
}

}  // namespace meshmul
