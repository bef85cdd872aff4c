#include "meshmul/host_array.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "base/array_bytes.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// Throws unless the bytes of such an array can be counted.
std::size_t checked_bytes(Dtype dtype, const Shape& shape) {
  if (shape.size() > static_cast<std::size_t>(kMaxDims))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("an array of {} dimensions; at most {} are possible", shape.size(), kMaxDims));
  for (const std::int64_t extent : shape)
    if (extent < 0)
      throw Error(ErrorCode::kInvalidArgument, fmt::format("an array with a dimension of size {}", extent));
  const std::optional<std::int64_t> bytes = count_bytes(shape, size_bytes(dtype));
  if (!bytes)
    throw Error(ErrorCode::kInvalidArgument, fmt::format("an array of {} [{}] has {}", name(dtype),
                                                         fmt::join(shape, ", "), more_bytes_than_count(shape)));
  return static_cast<std::size_t>(*bytes);
}

}  // namespace

HostArray::HostArray(Dtype dtype, Shape shape) : dtype_(dtype), shape_(std::move(shape)) {
  const std::size_t bytes = checked_bytes(dtype_, shape_);
  try {
    bytes_.resize(bytes);
  } catch (const std::exception&) {  // bad_alloc, or length_error above the largest vector
    throw Error(ErrorCode::kOutOfMemory, fmt::format("no memory for an array of {} [{}], which takes {} bytes",
                                                     name(dtype_), fmt::join(shape_, ", "), bytes));
  }
}

double HostArray::operator[](std::int64_t index) const {
  return with_element_type(dtype_,
                           [&]<class T>() { return to_double(elements<T>()[static_cast<std::size_t>(index)]); });
}

void HostArray::set(std::int64_t index, double value) {
  with_element_type(dtype_, [&]<class T>() { elements<T>()[static_cast<std::size_t>(index)] = convert<T>(value); });
}

}  // namespace meshmul
