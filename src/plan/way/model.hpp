#pragma once
// A way as a function of sizes: what every step costs for any sizes of its indices, whole or not.

#include <string_view>
#include <variant>
#include <vector>

#include "meshmul/way.hpp"
#include "plan/cost.hpp"
#include "plan/moves.hpp"
#include "plan/way/times.hpp"

namespace meshmul {

/// Whether blocks end at whole elements, or are as long as the size divided by the axes that cut it. Fractional ones are
/// not padded to the matrix unit of the chip either, so that times have no steps.
enum class Blocks { kWhole, kFractional };

struct WaySizes {
  std::vector<double> indices;  ///< by number of the index
  std::vector<double> axes;     ///< by number of the mesh axis
};

class WayModel {
 public:
  /// Every size of `way` must be known. Keeps a reference to `axes`.
  WayModel(const Way& way, const AxisNumbering& axes, const Machine& machine);

  /// The number of an index; nothing if no step has it.
  std::optional<std::size_t> find(std::string_view index) const;
  /// The sizes that way and mesh have.
  const WaySizes& sizes() const { return sizes_; }

  /// What each step costs for these sizes.
  std::vector<StepCost> costs(const WaySizes& sizes, Blocks blocks, const CostModel& cost) const;

  WayTimes times(const std::vector<StepCost>& costs) const;

  /// The kind of move of step number `step`, which is not a product.
  const Transition& move(std::size_t step) const;

 private:
  /// A dimension, and the axes that cut it.
  struct CutIndex {
    std::size_t index = 0;
    AxisSet cut = 0;
  };
  struct ArrayModel {
    std::vector<CutIndex> dims;
    double element_bytes = 0;
  };
  struct MoveModel {
    Transition move;
    ArrayModel from, to;
  };
  struct ProductModel {
    ArrayModel a, b, c;
    std::vector<CutIndex> batch, left, right, contracted;
    ProductRates rates;
  };

  class Extents;

  ArrayModel array_model(const ArrayType& type);
  std::size_t number(const Dim& dim);
  MoveModel move_model(const ArrayType& from, const ArrayType& to);
  ProductModel product_model(const Product& product, const Machine& machine);

  const AxisNumbering& axes_;
  std::vector<std::string> names_;
  WaySizes sizes_;
  std::vector<std::variant<MoveModel, ProductModel>> steps_;
};

}  // namespace meshmul
