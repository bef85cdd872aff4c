#pragma once
// A program with gradients, computed plainly in f64 from what its statements mean: every step is noted on a tape, loops
// written out, and gradients go back over the tape element by element.

#include <map>
#include <string>
#include <vector>

#include "meshmul/program.hpp"

namespace meshmul::testing {

/// A whole array, row-major.
struct Reals {
  Shape shape;
  std::vector<double> values;
};

/// The outputs of `program`, in order, from the given arrays by name. Every size must be known.
std::vector<Reals> plain_results(const Program& program, const std::map<std::string, Reals>& given);

}  // namespace meshmul::testing
