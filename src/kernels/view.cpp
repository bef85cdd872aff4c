#include "view.hpp"

namespace meshmul {

View view_of(std::byte* base, const BufferDecl& buffer, const Box& box) {
  View view{base, buffer.dtype, box.num_dims(), {}, {}};
  std::int64_t stride = 1;
  std::int64_t offset = 0;
  for (int d = box.num_dims() - 1; d >= 0; --d) {
    const auto i = static_cast<std::size_t>(d);
    view.extents[i] = box[d].size();
    view.strides[i] = stride;
    offset += box[d].begin * stride;
    stride *= buffer.shape[i];
  }
  // An empty box may begin outside of its buffer; nothing is ever read there.
  if (!box.empty()) view.data += offset * size_bytes(buffer.dtype);
  return view;
}

}  // namespace meshmul
