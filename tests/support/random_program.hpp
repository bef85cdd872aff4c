#pragma once
// Random programs whose whole numbers stay exact, and random ways to build a plan.

#include <cstdint>
#include <random>
#include <string>

#include "meshmul/lower.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul::testing {

struct MeshProgram {
  Mesh mesh;
  std::string text;
};

/// 1 or 2 mesh axes and up to 8 ranks; chains of products, functions, and loops over layers with weights of their own, of
/// sizes that need not divide; every array cut in any way, with partial sums, or left to the planner; every dtype. With
/// values of -1, 0 and 1 no sum leaves what its dtype holds exactly. Functions are those of whole numbers.
MeshProgram random_program(std::mt19937_64& random);

/// Any algorithm, any design on both sides, and any pieces: chunks, rows, slots, copy blocks, lanes.
LowerOptions random_way(std::mt19937_64& random);

}  // namespace meshmul::testing
