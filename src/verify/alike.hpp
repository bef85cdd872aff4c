#pragma once
// One fault of a builder shows at every rank and every step. Of findings that are alike, the first tells enough.

#include <string>
#include <vector>

#include "meshmul/verify.hpp"

namespace meshmul::verification {

/// Findings are alike if they are of one rule and name ops of one kind and lane, or none, and their sentences differ in numbers alone. Of those that are
/// alike, keeps that of the earliest op in its lane, in the place of the first, with the number of the others.
std::vector<Finding> one_of_each_kind(std::vector<Finding> findings, const Schedule& schedule);

/// Of at least one finding: the first, and how many others there are, `deadlock: … (2 other findings)`.
std::string first_and_others(const std::vector<Finding>& findings, const Schedule& schedule);

}  // namespace meshmul::verification
