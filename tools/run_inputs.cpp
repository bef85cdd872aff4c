#include "run_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/did_you_mean.hpp"
#include "base/slices.hpp"
#include "base/word_list.hpp"
#include "execute/session_view.hpp"
#include "interrupt.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/error.hpp"
#include "meshmul/random.hpp"

namespace meshmul::cli {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

constexpr std::string_view kOfStatement = "the statement";

/// The input array that a file is for.
const ArrayType& find_input(const std::vector<const ArrayType*>& arrays, std::string_view whose,
                            const InputWords& input) {
  std::vector<std::string> names;
  for (const ArrayType* type : arrays) {
    if (type->name == input.array) return *type;
    names.push_back(type->name);
  }
  const std::string there_are = names.empty() ? "it has none" : "its inputs are " + word_list(names, "and");
  refuse(fmt::format("--input {0}={1}: {2} has no input {0}; {3}{4}", input.array, input.location, whose, there_are,
                     did_you_mean(input.array, names)));
}

/// `bf16 [L=4, D=1024, F]`
std::string words(const ArrayType& type) {
  std::vector<std::string> dims;
  for (const auto& [index, size] : type.dims)
    dims.push_back(size == kUnknownSize ? index
                   : index.empty()      ? fmt::format("{}", size)
                                        : fmt::format("{}={}", index, size));
  return fmt::format("{} [{}]", name(type.dtype), fmt::join(dims, ", "));
}

/// Elements of the array `name` on all ranks together.
std::int64_t num_held(const Schedule& schedule, const std::string& name) {
  std::int64_t elements = 0;
  for (const Holding& holding : schedule.contract.inputs)
    if (holding.array == name) elements += holding.global.num_elements();
  return elements;
}

void take_sizes_of(Statement& statement, const InputFile& file) {
  const ArrayType type = find_input(inputs(std::as_const(statement)), kOfStatement, {file.array, file.location});
  check_agrees(type, kOfStatement, file.location, file.reader.dtype(), file.reader.shape());
  for (std::size_t d = 0; d < type.dims.size(); ++d)
    if (type.dims[d].size == kUnknownSize) set_size(statement, type.dims[d].index, file.reader.shape()[d]);
}

}  // namespace

void Input::read(const Box& box, std::int64_t term, View dst) const {
  const Box from = slice_ ? in_whole_array(slice_->index, box) : box;
  const View target = slice_ ? behind_first_dim(dst) : dst;
  if (!files_) {
    RandomValues values = random_;
    if (term > 0) values.seed = seed_for(values.seed, fmt::format("term {}", term));
    Shape shape = global_shape(type_);
    if (slice_) shape.insert(shape.begin(), slice_->count);
    fill_random(target, from, shape, values);
  } else if (term == 0) {
    files_->read_box(from, target);
  } else {
    meshmul::map(dst, MapFunction::kZero, {});
  }
}

std::vector<InputWords> split_inputs(const std::vector<std::string>& options) {
  std::vector<InputWords> inputs;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == option.size())
      refuse(fmt::format("--input takes NAME=FILE, such as A=a.npy; found \"{}\"", option));
    const std::string array = option.substr(0, equals);
    if (std::any_of(inputs.begin(), inputs.end(), [&](const InputWords& input) { return input.array == array; }))
      refuse(fmt::format("--input gives {} twice", array));
    inputs.push_back({array, option.substr(equals + 1)});
  }
  return inputs;
}

std::vector<InputFile> open_inputs(const std::vector<std::string>& options, std::optional<Dtype> expected) {
  std::vector<InputFile> files;
  for (InputWords& words : split_inputs(options)) {
    ArrayReader reader(words.location, expected);
    files.push_back({std::move(words.array), std::move(words.location), std::move(reader)});
  }
  return files;
}

std::vector<InputFile> open_inputs(const std::vector<std::string>& options, const std::vector<const ArrayType*>& arrays,
                                   std::string_view whose) {
  std::vector<InputFile> files;
  for (InputWords& words : split_inputs(options)) {
    const ArrayType& type = find_input(arrays, whose, words);
    ArrayReader reader(words.location, type.dtype);
    files.push_back({std::move(words.array), std::move(words.location), std::move(reader)});
    check_agrees(type, whose, files.back().location, files.back().reader.dtype(), files.back().reader.shape());
  }
  return files;
}

void check_agrees(const ArrayType& type, std::string_view whose, const std::string& location, Dtype dtype,
                  const Shape& shape) {
  bool fits = dtype == type.dtype && shape.size() == type.dims.size();
  for (std::size_t d = 0; fits && d < shape.size(); ++d)
    fits = type.dims[d].size == kUnknownSize || type.dims[d].size == shape[d];
  if (!fits)
    refuse(fmt::format("{} is {} in {}, but {} holds {} [{}]", type.name, words(type), whose, location, name(dtype),
                       fmt::join(shape, ", ")));
}

std::vector<std::string> locations_of(const std::vector<InputFile>& files) {
  std::vector<std::string> locations;
  for (const InputFile& file : files) locations.push_back(file.location);
  return locations;
}

void take_sizes(Statement& statement, const std::vector<InputFile>& files) {
  for (const InputFile& file : files) take_sizes_of(statement, file);
}

RandomValues random_for(const ArrayType& type, const Mesh& mesh, const RandomValues& wanted) {
  RandomValues values = wanted;
  values.seed = seed_for(wanted.seed, type.name);
  const std::int64_t terms = mesh.size(type.sharding.unreduced);
  const std::int64_t most = std::max<std::int64_t>(127 / terms, 1);
  if (type.dtype == Dtype::kI8 && terms > 1)
    values.whole_numbers_to = values.whole_numbers_to == 0 ? most : std::min(most, values.whole_numbers_to);
  return values;
}

void refuse_missing_input(const std::string& name) {
  refuse(fmt::format("input {0} has no data; give it with --input {0}=FILE, or add --random", name));
}

std::vector<Input> make_inputs(const std::vector<const ArrayType*>& arrays, const Mesh& mesh,
                               std::vector<InputFile> files, const std::optional<RandomValues>& random) {
  std::vector<Input> made;
  for (const ArrayType* type : arrays) {
    const auto file =
        std::find_if(files.begin(), files.end(), [&](const InputFile& f) { return f.array == type->name; });
    if (file != files.end())
      made.emplace_back(*type, ArrayFiles(std::move(file->reader)));
    else if (random)
      made.emplace_back(*type, random_for(*type, mesh, *random));
    else
      refuse_missing_input(type->name);
  }
  return made;
}

void load_inputs(const std::vector<Input>& inputs, const Schedule& schedule, Session& session, Progress& progress) {
  const Mesh& mesh = schedule.contract.mesh;
  for (const Input& input : inputs) {
    const ArrayType& type = input.type();
    progress.begin("loading " + type.name, num_held(schedule, type.name));
    // What another rank holds as well is copied from there: that is faster than to read or to make it again.
    std::map<std::pair<std::string, int>, Region> loaded;
    for (const Holding& holding : schedule.contract.inputs) {
      if (holding.array != type.name) continue;
      stop_if_interrupted();
      const View target = view_of(session, schedule, holding.region);
      const int term = mesh.group_index(holding.region.rank, type.sharding.unreduced);
      const auto [same, is_first] = loaded.try_emplace({holding.global.str(), term}, holding.region);
      if (is_first)
        input.read(holding.global, term, target);
      else
        meshmul::copy(target, view_of(session, schedule, same->second), {});
      progress.advance(holding.global.num_elements());
    }
  }
  progress.end();
}

}  // namespace meshmul::cli
