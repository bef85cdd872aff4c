#include "run_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/did_you_mean.hpp"
#include "base/option_values.hpp"
#include "interrupt.hpp"
#include "io/array_location.hpp"
#include "meshmul/error.hpp"
#include "overwriting.hpp"
#include "ranks_per_gpu.hpp"

namespace meshmul::cli {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

/// What CLI11 gives for a flag without a value.
constexpr const char* kBareFlag = "true";

/// As arrays are called.
bool could_be_name(const std::string& text) {
  const auto is_letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

/// One `--output`, as NAME=FILE if it begins with a name, or must.
OutputFile read_output(const std::string& text, const std::vector<std::string>& names) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equals);
  const bool is_name = std::find(names.begin(), names.end(), name) != names.end();
  if (is_name && equals + 1 < text.size()) return {name, text.substr(equals + 1)};
  if (is_name) refuse(fmt::format("--output {} names no file; expected {}=FILE", text, name));
  const bool is_file = equals == text.size() || !could_be_name(name);
  if (names.size() == 1 && is_file) return {names.front(), text};
  refuse(fmt::format("--output {}: expected NAME=FILE, with one of {}{}", text, fmt::join(names, ", "),
                     did_you_mean(name, names)));
}

}  // namespace

std::optional<RandomValues> read_random(const RunOptions& options) {
  if (options.random.empty()) {
    if (!options.whole_numbers.empty()) refuse("--whole-numbers says what random data are; add --random");
    return {};
  }
  RandomValues random;
  if (options.random != kBareFlag) random.seed = parse_seed(options.random, "--random");
  if (!options.whole_numbers.empty())
    random.whole_numbers_to =
        options.whole_numbers == kBareFlag ? 1 : parse_count(options.whole_numbers, "--whole-numbers", 1);
  return random;
}

ExecuteOptions read_execute_options(const RunOptions& options) {
  ExecuteOptions execute;
  execute.deadline = parse_duration(options.deadline, "--deadline");
  execute.seed = read_random(options).value_or(RandomValues{}).seed;
  execute.kernels = options.kernels;
  execute.ranks_per_gpu = read_ranks_per_gpu(options.ranks_per_gpu, options.statement.backend);
  execute.record = options.records();
  execute.interrupted = [] { return interrupted_by() != 0; };
  return execute;
}

std::vector<OutputFile> read_outputs(const RunOptions& options, const std::vector<const ArrayType*>& types) {
  std::vector<std::string> names;
  for (const ArrayType* type : types) names.push_back(type->name);
  if (names.empty() && !options.outputs.empty())
    refuse(fmt::format("--output {}: nothing comes out that could go there", options.outputs.front()));
  std::vector<OutputFile> files;
  for (const std::string& text : options.outputs) {
    OutputFile file = read_output(text, names);
    for (const OutputFile& other : files) {
      if (other.array == file.array) refuse(fmt::format("--output gives {} twice", file.array));
      if (other.location == file.location)
        refuse(fmt::format("--output {} is for {} and for {}", file.location, other.array, file.array));
    }
    files.push_back(std::move(file));
  }
  return files;
}

void refuse_overwriting(const RunOptions& options, const std::vector<std::string>& inputs,
                        const std::vector<OutputFile>& outputs) {
  std::vector<std::string> files = read_files(options.statement);
  for (const std::string& input : inputs) files.push_back(parse_array_location(input).file);
  std::vector<std::string> written;
  for (const OutputFile& output : outputs) written.push_back(parse_array_location(output.location).file);
  for (const std::string& file : written) refuse_overwriting("--output", file, files);
  files.insert(files.end(), written.begin(), written.end());
  refuse_same_files(options.pictures, files);
}

}  // namespace meshmul::cli
