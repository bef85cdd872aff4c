#include "stored_array.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// What raw elements of that size may be taken for.
std::optional<Dtype> raw_dtype(std::int64_t element_bytes) {
  if (element_bytes == 2) return Dtype::kBf16;
  if (element_bytes == 1) return Dtype::kF8e4m3;
  return std::nullopt;
}

}  // namespace

Dtype settle_dtype(const std::string& file, const StoredArray& stored, std::optional<Dtype> expected) {
  const FileArray& array = stored.array;
  const std::string subject =
      array.name.empty() ? fmt::format("{}: ", file) : fmt::format("{}: tensor {} ", file, array.name);
  const auto fail = [&](const std::string& found) -> Error { return {ErrorCode::kInvalidArgument, subject + found}; };
  if (array.shape.size() > static_cast<std::size_t>(kMaxDims))
    throw fail(fmt::format("has {} dimensions; at most {} are possible", array.shape.size(), kMaxDims));
  if (stored.raw) {
    const std::optional<Dtype> dtype = raw_dtype(stored.element_bytes);
    if (dtype && expected == dtype) return *dtype;
    const std::string found = fmt::format("holds raw elements of {} bytes ('{}')", stored.element_bytes, array.type);
    if (expected) throw fail(fmt::format("{}; expected {}", found, name(*expected)));
    if (dtype) throw fail(fmt::format("{}, which are read as {} only if that dtype is asked for", found, name(*dtype)));
    throw fail(fmt::format("{}; expected numbers", found));
  }
  if (!array.dtype)
    throw fail(fmt::format("holds {} ('{}'); expected {}", stored.type_in_words, array.type,
                           expected ? name(*expected) : "f64, f32, bf16, f16, f8e4m3, i8 or i32"));
  if (expected && *expected != *array.dtype)
    throw fail(fmt::format("holds {} ('{}'); expected {}", name(*array.dtype), array.type, name(*expected)));
  return *array.dtype;
}

}  // namespace meshmul
