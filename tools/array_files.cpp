#include "array_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "meshmul/element.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cli {
namespace {

std::string words(const ArrayReader& reader) {
  return fmt::format("{} [{}]", name(reader.dtype()), fmt::join(reader.shape(), ", "));
}

void check_alike(const std::vector<ArrayReader>& slices, const std::vector<std::string>& locations) {
  const ArrayReader& first = slices.front();
  for (std::size_t i = 1; i < slices.size(); ++i)
    if (slices[i].dtype() != first.dtype() || slices[i].shape() != first.shape())
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("slices of one array are alike; {} holds {}, and {} holds {}", locations.front(),
                              words(first), locations[i], words(slices[i])));
  if (first.shape().size() == kMaxDims)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} has {} dimensions; a slice has at most {}", locations.front(), kMaxDims, kMaxDims - 1));
}

}  // namespace

ArrayFiles::ArrayFiles(ArrayReader file) : shape_(file.shape()) {
  std::vector<ArrayReader> readers;
  readers.push_back(std::move(file));
  readers_ = std::make_shared<const std::vector<ArrayReader>>(std::move(readers));
}

ArrayFiles::ArrayFiles(std::vector<ArrayReader> slices, const std::vector<std::string>& locations)
    : in_slices_(true), shape_{static_cast<std::int64_t>(slices.size())} {
  check_alike(slices, locations);
  shape_.insert(shape_.end(), slices.front().shape().begin(), slices.front().shape().end());
  readers_ = std::make_shared<const std::vector<ArrayReader>>(std::move(slices));
}

void ArrayFiles::read_box(const Box& box, View dst) const {
  if (!in_slices_) return readers_->front().read_box(box, dst);
  Box within;
  for (int d = 1; d < box.num_dims(); ++d) within.push_back(box[d]);
  for (std::int64_t slice = box[0].begin; slice < box[0].end; ++slice)
    (*readers_)[static_cast<std::size_t>(slice)].read_box(within, slice_of(dst, slice - box[0].begin));
}

View slice_of(View view, std::int64_t index) {
  view.data += index * view.strides[0] * size_bytes(view.dtype);
  std::copy(view.extents.begin() + 1, view.extents.end(), view.extents.begin());
  std::copy(view.strides.begin() + 1, view.strides.end(), view.strides.begin());
  --view.num_dims;
  return view;
}

View behind_first_dim(View view) {
  std::copy_backward(view.extents.begin(), view.extents.end() - 1, view.extents.end());
  std::copy_backward(view.strides.begin(), view.strides.end() - 1, view.strides.end());
  view.extents[0] = 1;
  view.strides[0] = view.num_elements();
  ++view.num_dims;
  return view;
}

}  // namespace meshmul::cli
