#include "array_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/slices.hpp"
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
  const Box within = without_first_dim(box);
  for (std::int64_t slice = box[0].begin; slice < box[0].end; ++slice)
    (*readers_)[static_cast<std::size_t>(slice)].read_box(within, slice_of(dst, slice - box[0].begin));
}

}  // namespace meshmul::cli
