#include "draw/array_data.hpp"

#include <algorithm>
#include <utility>

#include "meshmul/layout.hpp"

namespace meshmul::drawing {
namespace {

std::vector<std::pair<std::int64_t, std::int64_t>> intervals(const ArrayType& type, const Mesh& mesh, int dim) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  for (int device = 0; device < mesh.num_devices(); ++device) {
    const Interval interval = local_interval(type, mesh, device, dim);
    found.emplace_back(interval.begin, interval.end);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void write_type(JsonWriter& json, const ArrayType& type, const Mesh& mesh, const RankRange& ranks) {
  json.begin_object().key("name").value(type.name).key("text").value(to_string(type, mesh));
  json.key("dims").begin_array();
  for (const Dim& dim : type.dims) json.value(dim.index);
  json.end_array().key("sizes").begin_array();
  for (const Dim& dim : type.dims) json.value(dim.size);
  json.end_array().key("partial").begin_array();
  for (const int axis : type.sharding.unreduced) json.value(mesh.name(axis));
  json.end_array().key("cuts").begin_array();
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> cuts;
  for (int dim = 0; dim < type.num_dims(); ++dim) {
    cuts.push_back(intervals(type, mesh, dim));
    json.begin_array();
    for (const auto& [begin, end] : cuts.back()) json.value(begin).value(end);
    json.end_array();
  }
  json.end_array().key("blocks").begin_array();
  for (int rank = ranks.first; rank <= ranks.last; ++rank) {
    for (int dim = 0; dim < type.num_dims(); ++dim) {
      const Interval interval = local_interval(type, mesh, rank, dim);
      const auto& all = cuts[static_cast<std::size_t>(dim)];
      const auto at = std::lower_bound(all.begin(), all.end(), std::pair(interval.begin, interval.end));
      json.value(at - all.begin());
    }
  }
  json.end_array().end_object();
}

}  // namespace

std::int64_t ArrayTable::number_of(const ArrayType& type) {
  const auto [entry, is_new] = numbers_.try_emplace(to_string(type, mesh_), static_cast<std::int64_t>(types_.size()));
  if (is_new) types_.push_back(type);
  return entry->second;
}

void ArrayTable::write(JsonWriter& json, const RankRange& ranks) const {
  json.begin_array();
  for (const ArrayType& type : types_) {
    json.line_break();
    write_type(json, type, mesh_, ranks);
  }
  json.end_array();
}

}  // namespace meshmul::drawing
