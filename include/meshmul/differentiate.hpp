#pragma once
// Gradients as statements: what `grad` asks for, written out as products, functions and loops that can be planned, lowered,
// proven and run like all others.

#include <string>
#include <vector>

#include "meshmul/mesh.hpp"
#include "meshmul/program.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {

/// Which arrays of the forward pass are computed again in the backward pass, instead of being kept until then. None of
/// them takes more than one product, from arrays that are there anyway (docs/gradients.md).
enum class Recompute {
  kNothing,
  kFunctions,  ///< results of elementwise functions: pre-activations are kept
  kProducts,   ///< pre-activations, too
};

/// An array of the forward pass that gradients need.
struct Activation {
  std::string name;  ///< `H`; `preH`: what the function of a product is applied to to make H
  bool is_recomputed = false;
  bool operator==(const Activation&) const = default;
};

struct DifferentiatedProgram {
  Program program;  ///< without grad statements; its `returned` are the outputs of the program that it comes from
  std::vector<Activation> activations;
};

bool has_gradients(const Program& program);

/// Puts statements in the place of each grad statement, and where these need it splits `gelu(X * W)` into a product and a
/// function, and stacks what loops make. A loop becomes a loop that runs backward. Every size must be known. The text of
/// the result can be read by people alone. Throws Error(kUnsupported) with the place where a gradient cannot be written
/// out: of gradient functions with respect to their first array, and of an array that is used both whole and by slices.
DifferentiatedProgram differentiate(const Program& program, Recompute recompute = Recompute::kNothing);

/// What a backward pass does for one statement, given the cotangent of its output: of a product `dC * B -> dA` and
/// `A * dC -> dB`; of a change of sharding the way back; of a collective `transposed`. Cotangents are called d and the name
/// of their array, have its dtype and lie like it, but complete: devices that hold terms of one sum have one cotangent in
/// common. Where the cotangent of what the devices along an axis hold alike is to be partial over it, write it into the
/// sharding of dA: the planner reduces it then into its place, and does not slice. Throws Error(kInvalidArgument) if
/// arrays have no names, or are not floating-point.
std::vector<Statement> gradient_statements(const Statement& statement, const Mesh& mesh);

}  // namespace meshmul
