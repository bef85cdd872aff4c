#pragma once
// Which ops behind a product its kernel does as well, before it stores the result: elementwise functions, sums with terms
// of other ranks, the conversion at the end.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"
#include "schedule/other_lanes.hpp"

namespace meshmul::cuda {

/// The sums, rounded to `rounded_to`, become function(sums, operand).
struct PlannedStep {
  MapFunction function = MapFunction::kConvert;
  std::optional<Region> operand = {};  ///< of the extents of the result, or one row, column or element of it
  std::optional<int> along = {};       ///< the dimension of the result that an operand of one dimension is of
  Dtype rounded_to = Dtype::kF32;
};

/// What a product does in place of writing its sums where its gemm says.
struct PlannedEpilogue {
  Region result;
  std::vector<PlannedStep> steps = {};
  int num_terms_ahead = 0;      ///< of the steps, those whose operands are added up before the product is added to them
  std::vector<int> waits = {};  ///< ops of the lane that pass before its operands are read and its result is written
  std::optional<Raise> raise = {};  ///< of the last op that it does
};

/// Of one lane. A product that is summed up by several gemms, one right behind the other, is known by the last of them.
struct LaneEpilogues {
  std::map<int, PlannedEpilogue> of_product;  ///< by the op of the last gemm
  std::map<int, int> last_gemm;               ///< of each gemm of these products
  std::set<int> absorbed;                     ///< ops that are done by them
};

/// Which kind of product kernel does a gemm, by a number; nothing if none can. One sum is made by one kind.
using KindOf = std::function<std::optional<int>(const Gemm&)>;

/// Whether the kernel can end the product of `gemm` in this way, as far as shapes and dtypes matter.
using CanEnd = std::function<bool(const Gemm& gemm, const PlannedEpilogue&)>;

/// What a lane leaves behind is the same, but for regions that nobody reads any more: these are not written. An op is done
/// ahead of its place if all that it reads and writes is of this lane alone, and behind waits of the lane if nothing but
/// waits stands between it and its product.
LaneEpilogues plan_epilogues(const Schedule& schedule, int rank, int lane, const OtherLanes& others,
                             const KindOf& kind_of, const CanEnd& can_end);

}  // namespace meshmul::cuda
