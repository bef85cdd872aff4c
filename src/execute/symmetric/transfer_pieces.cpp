#include "transfer_pieces.hpp"

#include <algorithm>
#include <utility>

#include "kernels/kernels.hpp"

namespace meshmul {
namespace {

template <class Byte>
BasicView<Byte> part_of(BasicView<Byte> view, int dim, std::int64_t index, std::int64_t count) {
  if (view.num_dims == 0) return view;
  const auto d = static_cast<std::size_t>(dim);
  const std::int64_t begin = view.extents[d] * index / count, end = view.extents[d] * (index + 1) / count;
  if (view.data != nullptr) view.data += begin * view.strides[d] * size_bytes(view.dtype);
  view.extents[d] = end - begin;
  return view;
}

int longest_dim(const ConstView& view) {
  const auto begin = view.extents.begin();
  return static_cast<int>(std::max_element(begin, begin + view.num_dims) - begin);
}

Shape shape_of(const ConstView& view) { return {view.extents.begin(), view.extents.begin() + view.num_dims}; }

}  // namespace

TransferPieces::TransferPieces(const View& dst, const ConstView& src, int num_pieces) {
  const int dim = longest_dim(src);
  const std::int64_t longest = src.num_dims == 0 ? 1 : src.extents[static_cast<std::size_t>(dim)];
  const std::int64_t count = src.num_elements() == 0 ? 1 : std::min<std::int64_t>(num_pieces, longest);
  for (std::int64_t i = 0; i < count; ++i)
    pieces_.push_back({part_of(dst, dim, i, count), part_of(src, dim, i, count), Event::kStart, {}});
}

Event TransferPieces::reached() const { return std::ranges::min_element(pieces_, {}, &Piece::reached)->reached; }

int TransferPieces::num_choices() const {
  const auto is_open = [](const Piece& piece) { return piece.reached != Event::kWriteVisible; };
  return static_cast<int>(std::ranges::count_if(pieces_, is_open));
}

void TransferPieces::advance(int choice) {
  auto piece = pieces_.begin();
  for (;; ++piece)
    if (piece->reached != Event::kWriteVisible && choice-- == 0) break;
  const bool empty = piece->src.num_elements() == 0;
  if (piece->reached == Event::kStart) {
    if (!empty) {
      piece->values = HostArray(piece->src.dtype, shape_of(piece->src));
      meshmul::copy(piece->values.view(), piece->src, {});
    }
    piece->reached = Event::kReadDone;
  } else {
    if (!empty) meshmul::copy(piece->dst, std::as_const(piece->values).view(), {});
    piece->reached = Event::kWriteVisible;
  }
}

}  // namespace meshmul
