#pragma once
// How a program is built: all of its statements in one way, or each product in its own.

#include <string>
#include <utility>
#include <vector>

#include "meshmul/lower.hpp"

namespace meshmul {

/// How one part of a planned program is built.
struct PartWay {
  int part = 0;      ///< among `PlannedProgram::parts`
  std::string name;  ///< of what it makes
  LowerOptions lower;
  bool operator==(const PartWay&) const = default;
};

struct ProgramWay {
  LowerOptions rest;           ///< of all parts that are not in `parts`
  std::vector<PartWay> parts;  ///< in the order of the plan; empty: all is built in one way

  /// All in one way.
  ProgramWay(LowerOptions all) : rest(std::move(all)) {}  // NOLINT(google-explicit-constructor): it is one
  ProgramWay(LowerOptions others, std::vector<PartWay> own) : rest(std::move(others)), parts(std::move(own)) {}

  const LowerOptions& of(int part) const {
    for (const PartWay& own : parts)
      if (own.part == part) return own.lower;
    return rest;
  }
  bool operator==(const ProgramWay&) const = default;
};

}  // namespace meshmul
