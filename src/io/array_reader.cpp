// Finds an array in a file and reads boxes of it. Rows that lie near each other in the file are read together.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <span>

#include "array_location.hpp"
#include "base/did_you_mean.hpp"
#include "element_bytes.hpp"
#include "file_rows.hpp"
#include "input_file.hpp"
#include "meshmul/array_file.hpp"
#include "meshmul/error.hpp"
#include "npy_header.hpp"
#include "safetensors_header.hpp"

namespace meshmul {
namespace {

using Row = FileRow<std::byte>;

/// Rows at most this far apart are read in one go: skipped bytes cost less than a call.
constexpr std::int64_t kGapBytes = 4096;

std::vector<StoredArray> read_headers(const InputFile& file, FileFormat format) {
  if (format == FileFormat::kSafetensors) return read_safetensors_header(file);
  return {read_npy_header(file)};
}

/// The array that `location` names. Throws Error(kInvalidArgument) listing the names if there is none, or several.
StoredArray select(const ArrayLocation& location, const std::vector<StoredArray>& arrays) {
  if (location.tensor.empty() && arrays.size() == 1) return arrays[0];
  constexpr std::size_t kMostListed = 10;
  std::vector<std::string> names;
  for (const StoredArray& stored : arrays) {
    if (!location.tensor.empty() && stored.array.name == location.tensor) return stored;
    names.push_back(stored.array.name);
  }
  std::string list =
      names.empty() ? "no tensors"
                    : fmt::format("{}", fmt::join(std::span(names).first(std::min(names.size(), kMostListed)), ", "));
  if (names.size() > kMostListed) list += fmt::format(" and {} more", names.size() - kMostListed);
  if (location.tensor.empty())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: name the tensor, as in {}:TENSOR; it holds {}", location.file, location.file, list));
  const std::string hint = did_you_mean(location.tensor, names);
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{}: has no tensor {}; it holds {}{}", location.file, location.tensor, list, hint));
}

}  // namespace

std::vector<FileArray> list_arrays(const std::string& file) {
  const ArrayLocation location = parse_array_location(file);
  std::vector<FileArray> arrays;
  for (const StoredArray& stored : read_headers(InputFile(location.file), location.format))
    arrays.push_back(stored.array);
  return arrays;
}

struct ArrayReader::State {
  State(const ArrayLocation& location, std::optional<Dtype> expected)
      : file(location.file),
        stored(select(location, read_headers(file, location.format))),
        dtype(settle_dtype(location.file, stored, expected)) {}

  InputFile file;
  StoredArray stored;
  Dtype dtype;
};

ArrayReader::ArrayReader(const std::string& location, std::optional<Dtype> expected)
    : state_(std::make_unique<State>(parse_array_location(location), expected)) {}
ArrayReader::~ArrayReader() = default;
ArrayReader::ArrayReader(ArrayReader&&) noexcept = default;
ArrayReader& ArrayReader::operator=(ArrayReader&&) noexcept = default;

const std::string& ArrayReader::name() const { return state_->stored.array.name; }
Dtype ArrayReader::dtype() const { return state_->dtype; }
const Shape& ArrayReader::shape() const { return state_->stored.array.shape; }

void ArrayReader::read_box(const Box& box, View dst) const {
  assert(Box::whole(shape()).contains(box) && box.num_dims() == dst.num_dims && dst.dtype == dtype());
  const StoredArray& stored = state_->stored;
  const std::int64_t element_bytes = size_bytes(dtype());
  std::vector<std::byte> staging;
  std::vector<Row> batch;
  const auto end_of = [&](const Row& row) { return row.offset + row.count * element_bytes; };
  const auto read_batch = [&] {
    if (batch.empty()) return;
    const std::int64_t begin = batch.front().offset;
    staging.resize(static_cast<std::size_t>(end_of(batch.back()) - begin));
    state_->file.read_at(stored.offset + begin, staging);
    for (const Row& row : batch)
      copy_elements(row.data, row.stride, staging.data() + (row.offset - begin), 1, row.count, element_bytes,
                    stored.big_endian);
    batch.clear();
  };
  for_each_file_row(shape(), stored.fortran_order, box, dst, [&](const Row& row) {
    const bool joins = batch.empty() || (row.offset - end_of(batch.back()) <= kGapBytes &&
                                         end_of(row) - batch.front().offset <= kStagingBytes);
    if (!joins) read_batch();
    batch.push_back(row);
  });
  read_batch();
}

HostArray ArrayReader::read() const {
  HostArray array(dtype(), shape());
  read_box(Box::whole(shape()), array.view());
  return array;
}

}  // namespace meshmul
