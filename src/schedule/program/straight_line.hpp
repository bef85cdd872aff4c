#pragma once
// A planned program without loops: every pass written out, and every array with a name of its own.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/program_plan.hpp"

namespace meshmul {

/// An array of the program; in each pass of a loop another one.
struct LineArray {
  ArrayType type;  ///< its name is that of no other array
  ValueId value = 0;
  std::optional<std::int64_t> slice;  ///< of a given or returned array: it is this slice along the first dimension
};

/// One part of the plan, done once.
struct Line {
  const PlannedPart* part = nullptr;
  const ProgramStatement* statement = nullptr;  ///< null: an array is moved to where the next pass begins
  std::vector<int> sources;                     ///< numbers of arrays
  int result = 0;
  int pass = 0;  ///< of the loop that it is in, from 0
};

struct StraightLine {
  std::vector<LineArray> arrays;
  std::vector<Line> lines;
  std::vector<int> inputs;   ///< in the order in which they are used first
  std::vector<int> outputs;  ///< as `outputs` of the program
};

/// Keeps pointers into `planned`. A carried array that lies where the next pass begins stays the same array.
StraightLine straight_line(const PlannedProgram& planned);

/// A name of the notation that is not in `taken`: `wanted`, or that with a number behind it. Adds it to `taken`.
std::string free_name(const std::string& wanted, std::vector<std::string>& taken);

}  // namespace meshmul
