#pragma once
// How arrays are cut, as the page draws it: for each array the intervals of its dimensions, and which of them each rank has.

#include <map>
#include <string>
#include <vector>

#include "draw/json_writer.hpp"
#include "meshmul/array_type.hpp"
#include "meshmul/draw.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul::drawing {

/// The arrays of a page, each once. What is done with them refers to them by number.
class ArrayTable {
 public:
  explicit ArrayTable(const Mesh& mesh) : mesh_(mesh) {}

  std::int64_t number_of(const ArrayType& type);

  /// `[{"name", "text", "dims", "sizes", "partial", "cuts", "blocks"}, …]`: by dimension, `cuts` has the different
  /// intervals [begin, end), and `blocks`, for one rank after the other, the number of its interval.
  void write(JsonWriter& json, const RankRange& ranks) const;

 private:
  const Mesh& mesh_;
  std::vector<ArrayType> types_;
  std::map<std::string, std::int64_t> numbers_;  ///< by text
};

}  // namespace meshmul::drawing
