#pragma once
// Was a statement or program computed correctly? Recomputes its output from the global inputs, in higher precision and with none of
// the code that computed it, and compares. docs/check.md derives the bounds.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/host_array.hpp"
#include "meshmul/program.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {

struct CheckOptions {
  /// Terms that were rounded to `wire_dtype` and then added for one element of the output: the devices of a reduction.
  /// 1 if every element was summed on one device.
  std::int64_t partial_sums = 1;
  /// What partial sums travelled in; nothing is the dtype of the output.
  std::optional<Dtype> wire_dtype = std::nullopt;
  /// Products of more floating-point operations (2 for each multiplication) are not recomputed whole.
  double most_flops = 1e12;
  /// Elements that are recomputed where each is computed on its own.
  std::int64_t sampled_elements = 4096;
  /// Chooses the sampled elements and rows, and the random vector.
  std::uint64_t seed = 0;
  /// Threads that recompute; 0 takes as many as there are cores.
  int num_threads = 0;
  /// Polled meanwhile by the calling thread; true ends the check with Error(kInterrupted). May be empty.
  std::function<bool()> interrupted = nullptr;
};

/// One comparison: of an element, or of the sum of a row times a random vector.
struct Difference {
  double error = 0;  ///< |found - expected|; infinite where one of them alone is NaN or infinite
  double bound = 0;  ///< the largest error that roundings explain; infinite where the sum of |a||b| overflows f64
  double found = 0;
  double expected = 0;
  std::vector<std::int64_t> position = {};  ///< in the output; -1 for an index that runs over a whole row
};

struct CheckResult {
  bool ok = true;
  std::string method = "";            ///< `every element recomputed in f64`
  std::int64_t elements_checked = 0;  ///< one by one
  std::int64_t rows_checked = 0;      ///< by the random vector
  /// The element, and the row, whose error comes nearest to its bound or passes it farthest. Nothing if there was none.
  std::optional<Difference> element = std::nullopt;
  std::optional<Difference> row = std::nullopt;
};

/// An array as it was given or computed. The terms add up to it: one for each coordinate along {U_…}, otherwise one.
using Terms = std::vector<const HostArray*>;

/// Recomputes `statement`, whose sizes are known, and compares with `output`. `inputs` and `output` are whole arrays of
/// the shapes and, up to conversion, the dtypes of the statement; inputs come in its order.
///   f32, bf16, f16, f8e4m3   every element, in f64 by a tuned library
///   i8, i32                  every element, exactly (modulo 2^32, as sums in i32 wrap)
///   f64                      sampled elements in double-double, and the sums of all rows times a random vector
/// above `most_flops` sampled rows instead of every element, and the random vector; i32 whose sums pass 2^53 as f64.
/// A change of sharding or a collective: every element. NaN and infinity have to stand where they stand in the
/// recomputation. Beside the arrays it takes some 10 MB per thread, and a few f64 for every row and column.
CheckResult check(const Statement& statement, const std::vector<Terms>& inputs, const Terms& output,
                  const CheckOptions& options = {});

/// For arrays without partial sums.
CheckResult check(const Statement& statement, const std::vector<HostArray>& inputs, const HostArray& output,
                  const CheckOptions& options = {});

/// Recomputes every output of `program`, whose sizes are known, and compares each with the one of `outputs`. `inputs` are
/// whole arrays in the order of `inputs(program)`, `outputs` in that of `outputs(program)`. Every element is recomputed in
/// f64 from the global inputs; the bound is 16 times what random errors of the size of all roundings lead to, and 0 where
/// whole numbers stay exact. `most_flops` and `sampled_elements` do not count. It takes some 40 bytes for each element of
/// the arrays that the program makes.
std::vector<CheckResult> check(const Program& program, const std::vector<Terms>& inputs,
                               const std::vector<Terms>& outputs, const CheckOptions& options = {});

/// `every element recomputed in f64: largest error 3.1e-06, its bound 4.7e-05, at [12, 7]`; of a mismatch also what was
/// found and expected.
std::string to_string(const CheckResult& result);

}  // namespace meshmul
