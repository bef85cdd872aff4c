#include "plan/report/open_arrays.hpp"

#include <cstddef>

#include "notation/print.hpp"

namespace meshmul {

std::vector<const ArrayType*> arrays_of(const Statement& statement) {
  std::vector<const ArrayType*> arrays = inputs(statement);
  arrays.push_back(&output(statement));
  return arrays;
}

bool has_open_array(const Statement& statement) {
  for (const ArrayType* array : arrays_of(statement))
    if (array->open) return true;
  return false;
}

std::string open_arrays_in_short(const Statement& closed, const Statement& open, const Mesh& mesh) {
  std::string text;
  const std::vector<const ArrayType*> asked = arrays_of(open);
  const std::vector<const ArrayType*> given = arrays_of(closed);
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (asked[i]->open) text += (text.empty() ? "" : ", ") + notation::short_text(*given[i], mesh);
  return text;
}

}  // namespace meshmul
