// Writes boxes of an array into a file that appears when it is complete.

#include <atomic>
#include <cassert>
#include <span>

#include "array_location.hpp"
#include "atomic_file.hpp"
#include "element_bytes.hpp"
#include "file_rows.hpp"
#include "meshmul/array_file.hpp"
#include "npy_header.hpp"
#include "safetensors_header.hpp"

namespace meshmul {
namespace {

using Row = FileRow<const std::byte>;

std::string print_header(const ArrayLocation& location, Dtype dtype, const Shape& shape,
                         const std::string& default_name) {
  if (location.format == FileFormat::kNpy) return print_npy_header(dtype, shape);
  return print_safetensors_header(location.tensor.empty() ? default_name : location.tensor, dtype, shape);
}

}  // namespace

struct ArrayWriter::State {
  State(const ArrayLocation& location, Dtype element_dtype, const Shape& array_shape, const std::string& header)
      : dtype(element_dtype),
        shape(array_shape),
        num_elements(Box::whole(array_shape).num_elements()),
        offset(static_cast<std::int64_t>(header.size())),
        file(location.file, offset + num_elements * size_bytes(element_dtype)) {
    file.write_at(0, std::as_bytes(std::span(header)));
  }

  Dtype dtype;
  Shape shape;
  std::int64_t num_elements;
  std::int64_t offset;  ///< of the first element
  AtomicFile file;
  std::atomic<std::int64_t> num_written = 0;
};

ArrayWriter::ArrayWriter(const std::string& location, Dtype dtype, const Shape& shape,
                         const std::string& default_name) {
  const ArrayLocation where = parse_array_location(location);
  state_ = std::make_unique<State>(where, dtype, shape, print_header(where, dtype, shape, default_name));
}
ArrayWriter::~ArrayWriter() = default;

void ArrayWriter::write_box(const Box& box, ConstView src) {
  State& state = *state_;
  assert(Box::whole(state.shape).contains(box) && box.num_dims() == src.num_dims && src.dtype == state.dtype);
  const std::int64_t element_bytes = size_bytes(state.dtype);
  std::vector<std::byte> staging;
  std::int64_t begin = 0;  // offset of what is staged
  const auto write_staged = [&] {
    state.file.write_at(state.offset + begin, staging);
    staging.clear();
  };
  for_each_file_row(state.shape, false, box, src, [&](const Row& row) {
    const auto staged = static_cast<std::int64_t>(staging.size());
    const std::int64_t row_bytes = row.count * element_bytes;
    if (staged > 0 && (row.offset != begin + staged || staged + row_bytes > kStagingBytes)) write_staged();
    if (staging.empty()) begin = row.offset;
    const std::size_t at = staging.size();
    staging.resize(at + static_cast<std::size_t>(row_bytes));
    copy_elements(staging.data() + at, 1, row.data, row.stride, row.count, element_bytes, false);
  });
  write_staged();
  state.num_written += box.num_elements();
}

void ArrayWriter::commit() {
  assert(state_->num_written == state_->num_elements);  // else some elements would silently be zeros
  state_->file.commit();
}

void write_array(const std::string& location, const HostArray& array, const std::string& default_name) {
  ArrayWriter writer(location, array.dtype(), array.shape(), default_name);
  writer.write_box(Box::whole(array.shape()), array.view());
  writer.commit();
}

}  // namespace meshmul
