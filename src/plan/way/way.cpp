// Uniform access to the steps of a way, and its text.
#include "meshmul/way.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "meshmul/error.hpp"
#include "notation/collective_type.hpp"

namespace meshmul {
namespace {

bool has_index(const Statement& step, std::string_view index) {
  const auto has = [&](const ArrayType& array) {
    return std::any_of(array.dims.begin(), array.dims.end(), [&](const Dim& dim) { return dim.index == index; });
  };
  const std::vector<const ArrayType*> arrays = inputs(step);
  return std::any_of(arrays.begin(), arrays.end(), [&](const ArrayType* array) { return has(*array); });
}

}  // namespace

std::string to_string(const Way& way, const Mesh& mesh) {
  std::string text;
  for (const Statement& step : way.steps) text += (text.empty() ? "" : "; ") + to_string(step, mesh);
  return text;
}

std::vector<const ArrayType*> inputs(const Way& way) {
  std::vector<const ArrayType*> unmade;
  std::set<std::string_view> known;
  for (const Statement& step : way.steps) {
    for (const ArrayType* array : inputs(step))
      if (known.insert(array->name).second) unmade.push_back(array);
    known.insert(output(step).name);
  }
  return unmade;
}

void set_size(Way& way, std::string_view index, std::int64_t size) {
  bool found = false;
  for (Statement& step : way.steps) {
    if (!has_index(step, index)) continue;
    set_size(step, index, size);
    found = true;
  }
  if (!found) throw Error(ErrorCode::kInvalidArgument, fmt::format("the steps have no index {}", index));
}

Way way_of(const std::vector<Step>& steps, const Mesh& mesh) {
  Way way;
  for (const Step& step : steps) {
    if (const auto* product = std::get_if<LocalProduct>(&step)) {
      way.steps.emplace_back(Product{product->a, product->b, product->c});
      continue;
    }
    const Move& move = std::get<Move>(step);
    if (auto collective = notation::find_collective(move.from, move.to, mesh))
      way.steps.emplace_back(std::move(*collective));
    else
      way.steps.emplace_back(Reshard{move.from, move.to});
  }
  return way;
}

}  // namespace meshmul
