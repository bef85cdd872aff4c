#pragma once
// What `meshmul run` is asked for, whether it carries out a statement, a program or a schedule.

#include <optional>
#include <string>
#include <vector>

#include "meshmul/execute.hpp"
#include "pictures.hpp"
#include "run_inputs.hpp"
#include "statement_options.hpp"

namespace meshmul::cli {

struct RunOptions {
  StatementOptions statement;
  std::vector<std::string> inputs;
  std::string random;
  std::string whole_numbers;
  std::vector<std::string> outputs;
  std::string ranks_per_gpu;
  std::string kernels;
  std::string deadline = "30s";
  bool check = false;
  bool no_verify = false;
  bool timeline = false;
  bool compare = false;
  std::string rounds = "5";  ///< of a comparison
  PictureOptions pictures;

  bool records() const { return timeline || wants_pictures(pictures); }
};

/// Nothing without --random.
std::optional<RandomValues> read_random(const RunOptions& options);

ExecuteOptions read_execute_options(const RunOptions& options);

/// An output file of `--output c.npy` or `--output C=c.npy`.
struct OutputFile {
  std::string array;
  std::string location;
};

/// Where the arrays of `types`, which come out, are to go. With one array its name may be left out. Throws
/// Error(kInvalidArgument) for a name of none, an array given twice, and one location for two arrays.
std::vector<OutputFile> read_outputs(const RunOptions& options, const std::vector<const ArrayType*>& types);

/// Throws Error(kInvalidArgument) if an output or a picture would overwrite one of these files, or another that the verb reads. `inputs`
/// are locations.
void refuse_overwriting(const RunOptions& options, const std::vector<std::string>& inputs,
                        const std::vector<OutputFile>& outputs);

}  // namespace meshmul::cli
