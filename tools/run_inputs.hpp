#pragma once
// The inputs of a run: from files, or random.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/array_file.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/random.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/statement.hpp"
#include "meshmul/view.hpp"
#include "progress.hpp"

namespace meshmul::cli {

/// Where the elements of one input array come from.
class Input {
 public:
  Input(ArrayType type, ArrayReader file) : type_(std::move(type)), file_(std::move(file)) {}
  Input(ArrayType type, const RandomValues& random) : type_(std::move(type)), random_(random) {}

  const ArrayType& type() const { return type_; }

  /// Fills `dst` with the elements that `box` holds of partial sum number `term`. A file holds the complete array: term
  /// 0 has its values and the others are zero. Random terms all differ.
  void read(const Box& box, std::int64_t term, View dst) const;

 private:
  ArrayType type_;
  std::optional<ArrayReader> file_;
  RandomValues random_;
};

/// `A=a.npy`
struct InputWords {
  std::string array;
  std::string location;
};

/// Takes the options `--input` apart. Throws Error(kInvalidArgument) for text without `=`, and an array given twice.
std::vector<InputWords> split_inputs(const std::vector<std::string>& options);

/// One `--input A=a.npy`, opened.
struct InputFile {
  std::string array;
  std::string location;
  ArrayReader reader;
};

/// Opens the files of `--input`. Elements must have the dtype `expected`, if there is one. Throws as `split_inputs` and
/// ArrayReader do.
std::vector<InputFile> open_inputs(const std::vector<std::string>& options, std::optional<Dtype> expected);

/// Takes the sizes that `statement` does not know from the files. Throws Error(kInvalidArgument) if a file is for no
/// input of the statement, or contradicts it in dtype, number of dimensions or a size.
void take_sizes(Statement& statement, const std::vector<InputFile>& files);

/// Opens the files of `--input` for `arrays`, whose sizes are all known. Throws as above, and Error(kInvalidArgument) if
/// a file is for none of them, or is not as that array. `whose` they are is `the statement` or `the schedule`.
std::vector<InputFile> open_inputs(const std::vector<std::string>& options, const std::vector<const ArrayType*>& arrays,
                                   std::string_view whose);

/// One Input for each of `arrays`; those without a file are random. Throws Error(kInvalidArgument) for the first that has
/// no file if there is no seed.
std::vector<Input> make_inputs(const std::vector<const ArrayType*>& arrays, const Mesh& mesh,
                               std::vector<InputFile> files, std::optional<std::uint64_t> seed);

/// Writes the inputs into the buffers where the contract of `schedule` wants them. Stops when interrupted.
void load_inputs(const std::vector<Input>& inputs, const Schedule& schedule, Session& session, Progress& progress);

}  // namespace meshmul::cli
