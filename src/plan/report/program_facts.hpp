#pragma once
// What is said in sentences about the plan of a program as a whole.

#include <string>
#include <vector>

#include "meshmul/program_plan.hpp"

namespace meshmul {

/// Strategy, times with and without overlap, memory and its limit; FLOPs and what bounds the program, by which factor;
/// whether shards and slots of the product that needs most fit the memory on the chip, as far as it is known.
std::vector<std::string> total_sentences(const ProgramPlan& plan);

/// The case of every mesh axis in every product: `H, X: case 1, …`.
std::vector<std::string> case_sentences(const PlannedProgram& planned);

}  // namespace meshmul
