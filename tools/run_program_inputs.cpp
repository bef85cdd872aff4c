#include "run_program_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/did_you_mean.hpp"
#include "io/array_location.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cli {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

ValueId find_given(const Program& program, const InputWords& words) {
  std::vector<std::string> names;
  for (const ValueId id : inputs(program)) {
    if (program.value(id).type.name == words.array) return id;
    names.push_back(program.value(id).type.name);
  }
  refuse(fmt::format("--input {}={}: the program has no given array {}; it has {}{}", words.array, words.location,
                     words.array, fmt::join(names, ", "), did_you_mean(words.array, names)));
}

std::vector<std::string> tensors_in(const std::string& file) {
  std::vector<std::string> names;
  for (FileArray& array : list_arrays(file)) names.push_back(std::move(array.name));
  return names;
}

/// `FILE.safetensors:TENSOR`. A tensor that nobody named has the name of the array, or is the only one.
std::string with_tensor(const std::string& text, const Value& value) {
  const ArrayLocation location = parse_array_location(text);
  if (location.format == FileFormat::kNpy || !location.tensor.empty()) return text;
  if (!value.tensor.empty()) return text + ":" + value.tensor;
  const std::vector<std::string> tensors = tensors_in(text);
  return std::ranges::find(tensors, value.type.name) != tensors.end() ? text + ":" + value.type.name : text;
}

/// Where the braces of a tensor's name stand: the positions of `{` and behind `}`. Nothing if it has none.
std::optional<std::pair<std::size_t, std::size_t>> braces_of(const std::string& location) {
  if (parse_array_location(location).tensor.empty()) return {};
  const std::size_t open = location.find('{');
  const std::size_t close = location.find('}', open);
  if (close == std::string::npos) return {};
  return std::pair(open, close + 1);
}

std::vector<std::string> slice_locations(const std::string& location, std::pair<std::size_t, std::size_t> braces,
                                         const Value& value) {
  if (value.type.num_dims() == 0)
    refuse(
        fmt::format("{}: {} has no dimension whose slices could be tensors of their own", location, value.type.name));
  const auto numbered = [&](std::int64_t slice) {
    return fmt::format("{}{}{}", location.substr(0, braces.first), slice, location.substr(braces.second));
  };
  std::vector<std::string> locations;
  if (const std::int64_t known = value.type.dims[0].size; known != kUnknownSize) {
    for (std::int64_t slice = 0; slice < known; ++slice) locations.push_back(numbered(slice));
  } else {
    const std::vector<std::string> tensors = tensors_in(parse_array_location(location).file);
    const auto is_there = [&](const std::string& name) {
      return std::ranges::find(tensors, parse_array_location(name).tensor) != tensors.end();
    };
    while (is_there(numbered(static_cast<std::int64_t>(locations.size()))))
      locations.push_back(numbered(static_cast<std::int64_t>(locations.size())));
    if (locations.empty()) locations.push_back(numbered(0));  // which the reader then misses
  }
  if (locations.empty()) refuse(fmt::format("{}: {} has no slices", location, value.type.name));
  return locations;
}

ArrayFiles open_files(const std::string& location, const Value& value, std::optional<Dtype> expected) {
  const auto braces = braces_of(location);
  if (!braces) return ArrayFiles(ArrayReader(location, expected));
  const std::vector<std::string> locations = slice_locations(location, *braces, value);
  std::vector<ArrayReader> slices;
  for (const std::string& slice : locations) slices.emplace_back(slice, expected);
  return {std::move(slices), locations};
}

void take_sizes_of(Program& program, const ProgramInput& input) {
  const ArrayType type = program.value(input.value).type;
  const Shape& shape = input.files.shape();
  check_agrees(type, "the program", input.location, input.files.dtype(), shape);
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (type.dims[d].size == kUnknownSize) set_size(program, type.dims[d].index, shape[d]);
}

}  // namespace

std::vector<ProgramInput> open_program_inputs(const std::vector<std::string>& options, const Program& program,
                                              bool any_dtype) {
  std::vector<ProgramInput> opened;
  for (const InputWords& words : split_inputs(options)) {
    const ValueId id = find_given(program, words);
    const Value& value = program.value(id);
    const std::string location = with_tensor(words.location, value);
    opened.push_back({words.array, id, location,
                      open_files(location, value, any_dtype ? std::nullopt : std::optional(value.type.dtype))});
  }
  return opened;
}

std::vector<std::string> locations_of(const std::vector<ProgramInput>& inputs) {
  std::vector<std::string> locations;
  for (const ProgramInput& input : inputs) locations.push_back(input.location);
  return locations;
}

void take_sizes(Program& program, const std::vector<ProgramInput>& inputs) {
  for (const ProgramInput& input : inputs) take_sizes_of(program, input);
}

std::vector<Input> make_inputs(const Program& program, const std::vector<ProgramArray>& arrays, const Mesh& mesh,
                               const std::vector<ProgramInput>& files, const std::optional<RandomValues>& random) {
  std::vector<Input> made;
  for (const ProgramArray& array : arrays) {
    const ArrayType& whole = program.value(array.value).type;
    ArrayType type = type_of(program, {array.value, array.slice.has_value()});
    type.name = array.name;
    std::optional<Slice> slice;
    if (array.slice) slice = Slice{*array.slice, whole.dims[0].size};
    if (const auto file = std::ranges::find(files, whole.name, &ProgramInput::array); file != files.end())
      made.emplace_back(std::move(type), file->files, slice);
    else if (random)
      made.emplace_back(std::move(type), random_for(whole, mesh, *random), slice);
    else
      refuse_missing_input(whole.name);
  }
  return made;
}

std::vector<Input> make_whole_inputs(const Program& program, const Mesh& mesh, const std::vector<ProgramInput>& files,
                                     const std::optional<RandomValues>& random) {
  std::vector<ProgramArray> arrays;
  for (const ValueId id : inputs(program)) arrays.push_back({program.value(id).type.name, id, std::nullopt});
  return make_inputs(program, arrays, mesh, files, random);
}

}  // namespace meshmul::cli
