#pragma once
// One product of sharded matrices, or a program of them, ready to be timed in every way that this machine can do it.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "in_turn.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/program.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::measure {

/// A way to do it.
struct ProductRow {
  std::string name;                      ///< `sequential`, `pull`, …
  std::string detail;                    ///< how it was built: `overlapped pull in 4 chunks`
  Timed timed;                           ///< of one run, from the first rank's start to the last rank's end
  std::int64_t bytes_between_ranks = 0;  ///< that one run moves; 0 of a whole product in one process
};

struct ProductCase {
  std::string name;  ///< the statement as it is planned; empty of a program
  double flops = 0;  ///< of the whole product, 2 M N K; of a program of all products, as often as they are done
  /// Opens `products alone`: each rank's whole local product in one call, on all ranks at once; of a program all of them, one
  /// after the other. The bound of every row. Each call returns one in memory of its own, so that each row can have one that
  /// finds as much of its operands in the caches as the row itself: what is timed more often finds more.
  std::function<Timed()> open_products_alone;
  /// `planner's choice`; `sequential` and the overlapped designs, each in its way that the simulator finds the fastest, if that
  /// is not the choice; `collective, then BLAS`; of a statement the whole product by each library that there is, `OpenBLAS, one process`.
  std::vector<ProductRow> rows;
};

/// Plans `statement`, builds it in every way, and fills all inputs with numbers. `options` are those of all sessions;
/// its `interrupted` also ends whole products of libraries. Throws as `compile` and `Executor::open` do;
/// Error(kInvalidArgument) if it is no product.
ProductCase prepare_product(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                            const Executor& executor, const ExecuteOptions& options);

/// The same of a program; Error(kInvalidArgument) if there is no product in it.
ProductCase prepare_program(const Program& program, const Mesh& mesh, const Hardware& hardware,
                            const Executor& executor, const ExecuteOptions& options);

}  // namespace meshmul::measure
