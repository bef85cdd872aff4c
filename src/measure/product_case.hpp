#pragma once
// One product of sharded matrices, ready to be timed in every way that this machine can do it.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "in_turn.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::measure {

/// A way to do it.
struct MatmulRow {
  std::string name;    ///< `sequential`, `pull`, …
  std::string detail;  ///< how it was built: `overlapped pull in 4 chunks`
  Timed timed;         ///< of one run, from the first rank's start to the last rank's end
};

struct MatmulCase {
  std::string statement;
  double flops = 0;  ///< of the whole product, 2 M N K
  /// `products alone`: each rank's whole local product in one call, on all ranks at once. The bound of every other row.
  MatmulRow products_alone;
  /// `planner's choice`; `sequential` and the overlapped designs, each in its way that the simulator finds the fastest;
  /// `collective, then BLAS`; `BLAS, one process` where the dtype is one of BLAS.
  std::vector<MatmulRow> rows;
};

/// Plans `statement`, builds it in every way, and fills all inputs with numbers. `interrupted` ends a run that is under way
/// with Error(kInterrupted). Throws as `compile` and `Executor::open` do; Error(kInvalidArgument) if it is no product.
MatmulCase prepare_matmul(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                          const Executor& executor, const std::function<bool()>& interrupted);

}  // namespace meshmul::measure
