#include "support/plain_einsum.hpp"

#include <map>
#include <string>

namespace meshmul::testing {
namespace {

using Assignment = std::map<std::string, std::int64_t>;

std::size_t position(const ArrayType& type, const Assignment& at) {
  std::int64_t linear = 0;
  for (const Dim& dim : type.dims) linear = linear * dim.size + at.at(dim.index);
  return static_cast<std::size_t>(linear);
}

void for_each_assignment(const std::vector<Dim>& dims, std::size_t next, Assignment& at, const auto& visit) {
  if (next == dims.size()) return visit(at);
  for (std::int64_t i = 0; i < dims[next].size; ++i) {
    at[dims[next].index] = i;
    for_each_assignment(dims, next + 1, at, visit);
  }
}

}  // namespace

Integers plain_einsum(const Statement& statement, const std::vector<Integers>& inputs) {
  const ArrayType& to = output(statement);
  Integers result{global_shape(to), {}};
  result.values.resize(static_cast<std::size_t>(Box::whole(result.shape).num_elements()));
  std::map<std::string, Dim> all;
  for (const ArrayType* type : meshmul::inputs(statement))
    for (const Dim& dim : type->dims) all[dim.index] = dim;
  std::vector<Dim> dims;
  for (const auto& [index, dim] : all) dims.push_back(dim);
  Assignment at;
  for_each_assignment(dims, 0, at, [&](const Assignment& here) {
    std::int64_t term = 1;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      term *= inputs[i].values[position(*meshmul::inputs(statement)[i], here)];
    result.values[position(to, here)] += term;
  });
  return result;
}

}  // namespace meshmul::testing
