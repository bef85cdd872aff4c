#include "staging.hpp"

#include "runs.hpp"

namespace meshmul {

const std::byte* load(ConstRow row, std::int64_t n, Dtype dtype, Stage& stage) {
  const std::byte* values = row.data;
  if (row.stride != 1) {
    move_run(stage.gathered.data(), 1, row.data, row.stride, n, size_bytes(row.dtype));
    values = stage.gathered.data();
  }
  if (row.dtype == dtype) return values;
  convert_run(stage.converted.data(), dtype, values, row.dtype, n);
  return stage.converted.data();
}

void store(Row row, std::int64_t n, const std::byte* values, Dtype dtype, Stage& stage) {
  if (row.stride == 1) return convert_run(row.data, row.dtype, values, dtype, n);
  if (row.dtype != dtype) {
    convert_run(stage.gathered.data(), row.dtype, values, dtype, n);
    values = stage.gathered.data();
  }
  move_run(row.data, row.stride, values, 1, n, size_bytes(row.dtype));
}

}  // namespace meshmul
