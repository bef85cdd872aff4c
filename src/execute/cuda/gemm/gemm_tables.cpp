#include "execute/cuda/gemm/gemm_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace meshmul::cuda {
namespace {

/// Columns of these boxes: 128 bytes.
std::int64_t store_columns(Dtype output) { return kStoreRowBytes / size_bytes(output); }

[[maybe_unused]] bool is_step(const EpilogueStep& step) {
  return is_epilogue(step.function) && accumulator_of(step.rounded_to) == Dtype::kF32 &&
         (num_sources(step.function) == 1 || (step.operand != nullptr && accumulator_of(step.dtype) == Dtype::kF32));
}

class TableBuilder {
 public:
  TableBuilder(const ProductKind& kind, const TileChoice& choice)
      : kind_(kind), choice_(choice), step_(kStepBytes / size_bytes(kind.element)) {}

  void add(const Product& product) {
    GemmPiece piece;
    piece.m = static_cast<std::int32_t>(product.m);
    piece.n = static_cast<std::int32_t>(product.n);
    piece.grid = {.m_tiles = static_cast<std::int32_t>(divide_up(product.m, kTileM * choice_.cluster)),
                  .n_tiles = static_cast<std::int32_t>(divide_up(product.n, choice_.tile_n)),
                  .rows_together = choice_.rows_together};
    piece.first_tile = tables_.num_tiles;
    tables_.num_tiles += piece.grid.num_tiles();
    piece.first_segment = static_cast<std::int32_t>(tables_.segments.size());
    piece.num_segments = static_cast<std::int32_t>(product.parts.size());
    for (const ProductPart& part : product.parts) piece.num_steps += add(product, part).num_steps;
    piece.first_row_group = append(tables_.row_groups, product.row_groups);
    piece.num_row_groups = static_cast<std::int32_t>(product.row_groups.size());
    assert(!product.accumulate || product.epilogue.empty());
    assert(std::ranges::all_of(product.epilogue, is_step));
    add_epilogue(product, piece);
    piece.first_raise = append(tables_.raises, product.raises);
    piece.num_raises = static_cast<std::int32_t>(product.raises.size());
    piece.accumulate = product.accumulate ? 1 : 0;
    piece.op = product.op;
    piece.output = product.output;
    piece.c = product.c;
    piece.c_row_stride = product.c_stride;
    add_result(product, piece);
    tables_.pieces.push_back(piece);
  }

  GemmTables done(const std::vector<SignalWait>& waits) {
    tables_.waits = waits;
    return std::move(tables_);
  }

 private:
  template <class T>
  static std::int32_t append(std::vector<T>& table, const std::vector<T>& rows) {
    const auto first = static_cast<std::int32_t>(table.size());
    table.insert(table.end(), rows.begin(), rows.end());
    return first;
  }

  std::int32_t add_map(const DeviceMatrix& matrix, std::int64_t inner, std::int64_t outer) {
    tables_.maps.push_back({matrix, inner, outer});
    return static_cast<std::int32_t>(tables_.maps.size() - 1);
  }

  const GemmSegment& add(const Product& product, const ProductPart& part) {
    // Half of a step of the operand of columns is what one of two blocks loads.
    const std::int64_t b_box_outer = kind_.b_columns_together ? step_ / 2 : choice_.tile_n / 2;
    GemmSegment& segment = tables_.segments.emplace_back();
    segment.a_map = add_map(operand(kind_, part.a, part.a_stride, product.m, part.k, kind_.a_rows_together), step_,
                            kind_.a_rows_together ? step_ : kTileM);
    segment.b_map =
        add_map(operand(kind_, part.b, part.b_stride, product.n, part.k, kind_.b_columns_together), step_, b_box_outer);
    segment.num_steps = static_cast<std::int32_t>(divide_up(part.k, step_));
    segment.num_waits = part.num_waits;
    return segment;
  }

  static DeviceMatrix term_matrix(const Product& product, const EpilogueStep& step) {
    return {.data = step.operand,
            .element = step.dtype,
            .inner = product.n,
            .outer = product.m,
            .row_stride = step.row_stride};
  }
  static bool is_loaded(const Product& product, const EpilogueStep& step) {
    const auto sixteen_bits = [](Dtype dtype) { return dtype == Dtype::kBf16 || dtype == Dtype::kF16; };
    return step.function == MapFunction::kAdd && sixteen_bits(step.dtype) && step.column_stride == 1 &&
           step.row_stride >= product.n && (step.rounded_to == Dtype::kF32 || sixteen_bits(step.rounded_to)) &&
           has_tensor_map(term_matrix(product, step));
  }

  /// The first steps become terms, as far as the copy engine can load them; a rounding ahead of the first one is done with
  /// it.
  void add_epilogue(const Product& product, GemmPiece& piece) {
    const std::vector<EpilogueStep>& steps = product.epilogue;
    std::size_t first = 0;
    if (product.num_terms_ahead == 0 && steps.size() > 1 && steps[0].function == MapFunction::kConvert &&
        steps[1].rounded_to == Dtype::kF32)
      first = 1;
    std::size_t end = first;
    while (end < steps.size() && is_loaded(product, steps[end])) ++end;
    if (end == first || end < static_cast<std::size_t>(product.num_terms_ahead)) first = end = 0;
    piece.first_term = static_cast<std::int32_t>(tables_.terms.size());
    for (std::size_t i = first; i < end; ++i)
      tables_.terms.push_back(
          {.map = add_map(term_matrix(product, steps[i]), kStoreRowBytes / size_bytes(steps[i].dtype), kTileM),
           .dtype = steps[i].dtype,
           .rounded_to = i == 1 && first == 1 ? steps[0].rounded_to : steps[i].rounded_to,
           .num_waits = steps[i].num_waits});
    piece.num_terms = static_cast<std::int32_t>(tables_.terms.size()) - piece.first_term;
    (piece.num_terms > 0 ? piece.num_loaded_ahead : piece.num_terms_ahead) = product.num_terms_ahead;
    const std::vector<EpilogueStep> left(steps.begin() + static_cast<std::ptrdiff_t>(end), steps.end());
    piece.first_epilogue_step = append(tables_.epilogue_steps, left);
    piece.num_epilogue_steps = static_cast<std::int32_t>(left.size());
  }

  void add_result(const Product& product, GemmPiece& piece) {
    const DeviceMatrix result{.data = product.c,
                              .element = product.output,
                              .inner = product.n,
                              .outer = product.m,
                              .row_stride = product.c_stride};
    // The copy engine stores 16 bytes at a time: of rows that are no multiple of that, it would write what lies behind
    // them.
    const bool whole_rows = product.n * size_bytes(product.output) % 16 == 0;
    if (product.output == Dtype::kF8e4m3 || !whole_rows || !has_tensor_map(result)) return;
    const std::int64_t columns = store_columns(product.output);
    piece.c_map = add_map(result, columns, kStoreRows);
    const std::int64_t tail = choice_.tile_n % columns;
    piece.c_tail_map = tail == 0 ? piece.c_map : add_map(result, tail, kStoreRows);
  }

  const ProductKind& kind_;
  const TileChoice& choice_;
  std::int64_t step_;
  GemmTables tables_;
};

}  // namespace

std::string to_string(const TileChoice& choice) {
  return fmt::format("tiles 128 x {}, {} a cluster, {} rows together", choice.tile_n, choice.cluster,
                     choice.rows_together);
}

GemmTables make_tables(const ProductKind& kind, const std::vector<Product>& products,
                       const std::vector<SignalWait>& waits, const TileChoice& choice) {
  TableBuilder builder(kind, choice);
  for (const Product& product : products) builder.add(product);
  return builder.done(waits);
}

}  // namespace meshmul::cuda
