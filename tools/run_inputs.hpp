#pragma once
// The inputs of a run: from files, or random.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "array_files.hpp"
#include "meshmul/array_file.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/random.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/statement.hpp"
#include "meshmul/view.hpp"
#include "progress.hpp"

namespace meshmul::cli {

/// An array is number `index` of `count` slices along the first dimension of a larger one.
struct Slice {
  std::int64_t index = 0;
  std::int64_t count = 0;
};

/// Where the elements of one input array come from: from data for it alone, or for the larger array that it is a slice of.
class Input {
 public:
  Input(ArrayType type, ArrayFiles files, std::optional<Slice> slice = {})
      : type_(std::move(type)), files_(std::move(files)), slice_(slice) {}
  Input(ArrayType type, const RandomValues& random, std::optional<Slice> slice = {})
      : type_(std::move(type)), random_(random), slice_(slice) {}

  const ArrayType& type() const { return type_; }

  /// Fills `dst` with the elements that `box` holds of partial sum number `term`. A file holds the complete array: term
  /// 0 has its values and the others are zero. Random terms all differ.
  void read(const Box& box, std::int64_t term, View dst) const;

 private:
  ArrayType type_;
  std::optional<ArrayFiles> files_;
  RandomValues random_;
  std::optional<Slice> slice_;
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

std::vector<std::string> locations_of(const std::vector<InputFile>& files);

/// Takes the sizes that `statement` does not know from the files. Throws Error(kInvalidArgument) if a file is for no
/// input of the statement, or contradicts it in dtype, number of dimensions or a size.
void take_sizes(Statement& statement, const std::vector<InputFile>& files);

/// Throws Error(kInvalidArgument) with both types if what `location` holds is not as `type`, but for sizes that are not known.
/// `whose` array it is: `the statement`, `the program` or `the schedule`.
void check_agrees(const ArrayType& type, std::string_view whose, const std::string& location, Dtype dtype,
                  const Shape& shape);

/// Opens the files of `--input` for `arrays`, whose sizes are all known. Throws as above, and Error(kInvalidArgument) if
/// a file is for none of them, or is not as that array. `whose` they are is `the statement` or `the schedule`.
std::vector<InputFile> open_inputs(const std::vector<std::string>& options, const std::vector<const ArrayType*>& arrays,
                                   std::string_view whose);

/// The random values of an array: those of `wanted`, with a seed of its own. Partial sums of i8 are added in i8, so they
/// are small enough for their sum.
RandomValues random_for(const ArrayType& type, const Mesh& mesh, const RandomValues& wanted);

/// Throws Error(kInvalidArgument): nobody said what the data of input `name` are.
[[noreturn]] void refuse_missing_input(const std::string& name);

/// One Input for each of `arrays`; those without a file are random. Throws Error(kInvalidArgument) for the first that has
/// no file if nothing is random.
std::vector<Input> make_inputs(const std::vector<const ArrayType*>& arrays, const Mesh& mesh,
                               std::vector<InputFile> files, const std::optional<RandomValues>& random);

/// Writes the inputs into the buffers where the contract of `schedule` wants them. Stops when interrupted.
void load_inputs(const std::vector<Input>& inputs, const Schedule& schedule, Session& session, Progress& progress);

}  // namespace meshmul::cli
