#pragma once
// A program whose products are each built in a way of their own.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "meshmul/tune.hpp"

namespace meshmul {

/// What `all` comes to for the steps of one statement: without overlap where nothing can be, and with an algorithm.
LowerOptions own_way(const LowerOptions& all, const std::vector<ProgramStep>& steps, const Mesh& mesh);

/// A part of a program that can be built in several ways, the simplest first. `lower` is the one that it has.
struct OpenPart {
  PartWay part;
  std::vector<LowerOptions> ways;
};

/// The statements of `plan` of which something moves, each built as `all`, as far as that means anything for it.
std::vector<OpenPart> open_parts(const ProgramPlan& plan, const LowerOptions& all, const Hardware& hardware,
                                 const Capabilities& available);

/// `all`, with the ways of `parts` where they say something else.
ProgramWay way_of(const LowerOptions& all, const std::vector<OpenPart>& parts);

/// What a way takes: nothing if it cannot be simulated, or does not fit, or if enough has been tried.
using Price = std::function<std::optional<ProgramCandidate>(const ProgramWay&)>;

/// `start`, a way in which all is built alike, with the way of one part after the other exchanged for the one that makes the program
/// the fastest, until no exchange does.
ProgramCandidate improved(const ProgramCandidate& start, std::vector<OpenPart> parts, const Price& price);

}  // namespace meshmul
