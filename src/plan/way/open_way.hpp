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
  OpenWay(const Way& way, const std::string& index, const Mesh& mesh, const Hardware& hardware,
          const PlanOptions& options);

  struct Point {
    WayTimes times;
    /// What bounds each step, and which mapping is the best: where none of it changes, times are smooth.
    std::vector<int> branches;
  };
  /// With the mapping that is the best for this size.
  Point at(double size, Blocks blocks) const;
  bool has_index() const { return index_.has_value(); }

 private:
  OpenWay(const Way& way, const std::string& index, const Mesh& mesh, const std::vector<Machine>& machines,
          bool overlapped);

  AxisNumbering axes_;
  bool overlapped_;
  std::vector<CostModel> costs_;  // by mapping
  WayModel model_;
  std::optional<std::size_t> index_;
};

}  // namespace meshmul
