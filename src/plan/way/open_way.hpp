#pragma once
// A way in which the size of one index is open: its times as functions of that size.

#include <string>
#include <vector>

#include "meshmul/way.hpp"
#include "plan/way/model.hpp"

namespace meshmul {

class OpenWay {
 public:
  /// No step need have `index`. Throws as price_way does. Keeps a reference to `mesh`.
  OpenWay(const Way& way, const std::string& index, const Mesh& mesh, const Hardware& hardware);

  struct Times {
    double moves = 0;
    double products = 0;
    std::vector<int> bounds;  ///< what bounds each step
  };
  Times at(double size, Blocks blocks) const;
  bool has_index() const { return index_.has_value(); }

 private:
  AxisNumbering axes_;
  CostModel cost_;
  WayModel model_;
  std::optional<std::size_t> index_;
};

}  // namespace meshmul
