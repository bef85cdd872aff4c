#pragma once
// The given arrays of a program that is run: from files, or random.

#include <optional>
#include <string>
#include <vector>

#include "array_files.hpp"
#include "meshmul/lower_program.hpp"
#include "meshmul/program.hpp"
#include "meshmul/random.hpp"
#include "run_inputs.hpp"

namespace meshmul::cli {

/// One `--input W1=weights.safetensors:layers.{l}.up`, opened.
struct ProgramInput {
  std::string array;
  ValueId value = 0;     ///< in the program that was read; it can have another number where gradients are written out
  std::string location;  ///< as messages name it; with braces, if there is a tensor for each slice
  ArrayFiles files;
};

/// Opens the files of `--input` for the given arrays of `program`. A tensor that the option does not name is the one that the
/// program names. A word in braces stands for the number of a slice along the first dimension; where its size is not known
/// yet, there are as many as the file holds. With `any_dtype` arrays need not have the dtype of the program.
/// Throws Error(kInvalidArgument) as `split_inputs`, ArrayFiles and ArrayReader do, and for an array that the program does not
/// declare.
std::vector<ProgramInput> open_program_inputs(const std::vector<std::string>& options, const Program& program,
                                              bool any_dtype);

std::vector<std::string> locations_of(const std::vector<ProgramInput>& inputs);

/// Takes the sizes that `program` does not know from the files. Throws Error(kInvalidArgument) with both types if a file
/// contradicts it in dtype, number of dimensions or a size.
void take_sizes(Program& program, const std::vector<ProgramInput>& inputs);

/// One Input for each of `arrays`, the inputs of the contract; those without a file are random, a slice as it is in the whole
/// array. Throws Error(kInvalidArgument) for the first that has no file if nothing is random.
std::vector<Input> make_inputs(const Program& program, const std::vector<ProgramArray>& arrays, const Mesh& mesh,
                               const std::vector<ProgramInput>& files, const std::optional<RandomValues>& random);

/// One Input for each given array of the program, whole, as `make_inputs` makes them.
std::vector<Input> make_whole_inputs(const Program& program, const Mesh& mesh, const std::vector<ProgramInput>& files,
                                     const std::optional<RandomValues>& random);

}  // namespace meshmul::cli
