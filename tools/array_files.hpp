#pragma once
// The elements of an array in files: one file that holds all of it, or one tensor for each slice along its first dimension.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/array_file.hpp"
#include "meshmul/box.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cli {

/// Open for reading, by any number of threads. Copies share the files.
class ArrayFiles {
 public:
  explicit ArrayFiles(ArrayReader file);
  /// Number `i` of `slices` holds slice i. There is at least one, and all have one dtype and one shape: throws
  /// Error(kInvalidArgument) naming two that differ. `locations` are their names.
  ArrayFiles(std::vector<ArrayReader> slices, const std::vector<std::string>& locations);

  Dtype dtype() const { return readers_->front().dtype(); }
  /// Of the whole array.
  const Shape& shape() const { return shape_; }

  /// As ArrayReader does.
  void read_box(const Box& box, View dst) const;

 private:
  std::shared_ptr<const std::vector<ArrayReader>> readers_;
  bool in_slices_ = false;
  Shape shape_;
};

}  // namespace meshmul::cli
