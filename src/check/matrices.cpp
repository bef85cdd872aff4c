#include "matrices.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "meshmul/element.hpp"

namespace meshmul::checking {
namespace {

/// Elements as f64. The 256 values of f8 are looked up: working them out takes longer than everything else.
template <class T>
double value_of(T element) {
  if constexpr (std::is_same_v<T, F8e4m3>) {
    static const std::array<double, 256> kValues = [] {
      std::array<double, 256> values{};
      for (std::size_t code = 0; code < values.size(); ++code) {
        F8e4m3 f8;
        f8.bits = static_cast<std::uint8_t>(code);
        values[code] = to_double(f8);
      }
      return values;
    }();
    return kValues[element.bits];
  } else {
    return to_double(element);
  }
}

}  // namespace

std::int64_t Axis::size() const {
  std::int64_t size = 1;
  for (const std::int64_t extent : extents) size *= extent;
  return size;
}

std::int64_t Axis::offset(std::int64_t position) const {
  std::int64_t offset = 0;
  for (std::size_t i = extents.size(); i-- > 0;) {
    offset += position % extents[i] * strides[i];
    position /= extents[i];
  }
  return offset;
}

Axis dims_of(const ArrayType& type) {
  Axis axis;
  for (const Dim& dim : type.dims) axis.extents.push_back(dim.size);
  axis.strides.resize(axis.extents.size());
  std::int64_t stride = 1;
  for (std::size_t d = type.dims.size(); d-- > 0;) {
    axis.strides[d] = stride;
    stride *= type.dims[d].size;
  }
  return axis;
}

Axis axis_of(const ArrayType& type, const std::vector<std::string>& names) {
  const Axis all = dims_of(type);
  Axis axis;
  for (const std::string& name : names) {
    const auto dim = std::find_if(type.dims.begin(), type.dims.end(), [&](const Dim& d) { return d.index == name; });
    assert(dim != type.dims.end());
    const auto d = static_cast<std::size_t>(dim - type.dims.begin());
    axis.extents.push_back(all.extents[d]);
    axis.strides.push_back(all.strides[d]);
  }
  return axis;
}

Matrices::Matrices(Terms terms, Axis batch, Axis rows, Axis columns)
    : terms_(std::move(terms)), batch_(std::move(batch)), rows_(std::move(rows)), columns_(std::move(columns)) {
  assert(!terms_.empty());
}

std::vector<std::int64_t> Matrices::column_offsets(Interval columns) const {
  std::vector<std::int64_t> offsets;
  for (std::int64_t column = columns.begin; column < columns.end; ++column) offsets.push_back(columns_.offset(column));
  return offsets;
}

void Matrices::read(std::int64_t batch, std::span<const std::int64_t> rows, Interval columns, Reading reading,
                    double* values) const {
  const auto num_columns = static_cast<std::size_t>(columns.size());
  const std::vector<std::int64_t> steps = column_offsets(columns);
  std::fill_n(values, rows.size() * num_columns, 0.0);
  for (const HostArray* const term : terms_) {
    with_element_type(term->dtype(), [&]<class T>() {
      const T* const first = term->elements<T>().data();
      double* out = values;
      for (const std::int64_t row : rows) {
        const T* const row_begin = first + row_offset(batch, row);
        for (std::size_t j = 0; j < num_columns; ++j, ++out) {
          const double value = value_of(row_begin[steps[j]]);
          *out += reading == Reading::kMagnitude ? std::fabs(value) : value;
        }
      }
    });
  }
}

ProductMatrices matrices_of(const Product& product, const std::vector<Terms>& inputs, const Terms& output) {
  const IndexRoles roles = index_roles(product);
  const ArrayType& a = product.a;
  const ArrayType& b = product.b;
  const ArrayType& c = product.c;
  return {
      Matrices(inputs[0], axis_of(a, roles.batch), axis_of(a, roles.left), axis_of(a, roles.contracted)),
      Matrices(inputs[1], axis_of(b, roles.batch), axis_of(b, roles.contracted), axis_of(b, roles.right)),
      Matrices(output, axis_of(c, roles.batch), axis_of(c, roles.left), axis_of(c, roles.right)),
  };
}

std::vector<std::int64_t> position_of(std::int64_t offset, const Shape& shape) {
  std::vector<std::int64_t> position(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    position[i] = offset % shape[i];
    offset /= shape[i];
  }
  return position;
}

}  // namespace meshmul::checking
