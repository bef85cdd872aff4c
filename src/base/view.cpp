#include "meshmul/view.hpp"

namespace meshmul {
namespace {

template <class Byte>
BasicView<Byte> view_of_box(Byte* base, Dtype dtype, const Shape& shape, const Box& box) {
  BasicView<Byte> view{base, dtype, box.num_dims(), {}, {}};
  std::int64_t stride = 1;
  std::int64_t offset = 0;
  for (int d = box.num_dims() - 1; d >= 0; --d) {
    const auto i = static_cast<std::size_t>(d);
    view.extents[i] = box[d].size();
    view.strides[i] = stride;
    offset += box[d].begin * stride;
    stride *= shape[i];
  }
  // An empty box may begin outside of its array; nothing is ever read there.
  if (!box.empty()) view.data += offset * size_bytes(dtype);
  return view;
}

}  // namespace

View view_of(std::byte* base, Dtype dtype, const Shape& shape, const Box& box) {
  return view_of_box(base, dtype, shape, box);
}

ConstView view_of(const std::byte* base, Dtype dtype, const Shape& shape, const Box& box) {
  return view_of_box(base, dtype, shape, box);
}

}  // namespace meshmul
