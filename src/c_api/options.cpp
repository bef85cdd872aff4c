#include "c_api/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "base/did_you_mean.hpp"
#include "base/option_values.hpp"
#include "c_api/boundary.hpp"
#include "meshmul/error.hpp"

namespace meshmul::c_api {
namespace {

template <class Named>
Named choose_named(const std::string& value, const std::string& key, std::span<const Named> all) {
  std::vector<std::string> names;
  for (const Named each : all) names.emplace_back(name(each));
  return all[choose(value, key, names)];
}

Design read_design(const std::string& word) { return choose_named(word, "design", designs()); }

using Setter = void (*)(meshmul_options&, const std::string& value);
struct Option {
  std::string_view key;
  Setter set;
  bool is_piece = false;
};

constexpr Option kOptions[] = {
    {"memory", [](meshmul_options& o, const std::string& v) { o.plan.memory_bytes = parse_bytes(v, "memory"); }},
    {"wire-dtype",
     [](meshmul_options& o, const std::string& v) {
       const std::optional<Dtype> dtype = parse_dtype(v);
       o.plan.wire_dtype = dtype ? *dtype : choose_named(v, "wire-dtype", std::span<const Dtype>(kAllDtypes));
     }},
    {"algorithm",
     [](meshmul_options& o, const std::string& v) { o.algorithm = choose_named(v, "algorithm", algorithms()); }},
    {"design",
     [](meshmul_options& o, const std::string& v) {
       const std::vector<std::string> words = split(v, ',');
       if (words.size() > 2)
         throw Error(ErrorCode::kInvalidArgument,
                     fmt::format("design takes a name, or one for operands and one for sums; found \"{}\"", v));
       const Design gather = read_design(words.front());
       const Design reduce = read_design(words.back());
       o.overlap.gather = gather;
       o.overlap.reduce = reduce;
       o.has_design = true;
     }},
    {"chunks",
     [](meshmul_options& o, const std::string& v) { o.overlap.chunks_per_shard = parse_count(v, "chunks", 1); }, true},
    {"rows-per-round",
     [](meshmul_options& o, const std::string& v) { o.overlap.rows_per_round = parse_count(v, "rows-per-round", 1); },
     true},
    {"slots", [](meshmul_options& o, const std::string& v) { o.overlap.slots = parse_count(v, "slots", 2); }, true},
    {"copy-bytes",
     [](meshmul_options& o, const std::string& v) { o.overlap.copy_bytes = parse_bytes(v, "copy-bytes"); }, true},
    {"copy-lanes",
     [](meshmul_options& o, const std::string& v) { o.overlap.copy_lanes = parse_count(v, "copy-lanes", 1); }, true},
    {"kernels", [](meshmul_options& o, const std::string& v) { o.execute.kernels = v; }},
    {"deadline", [](meshmul_options& o, const std::string& v) { o.execute.deadline = parse_duration(v, "deadline"); }},
    {"ranks-per-gpu",
     [](meshmul_options& o, const std::string& v) { o.execute.ranks_per_gpu = parse_count(v, "ranks-per-gpu", 1); }},
};

}  // namespace

void set(meshmul_options& options, const std::string& key, const std::string& value) {
  std::vector<std::string> keys;
  for (const Option& option : kOptions) keys.emplace_back(option.key);
  const Option& option = kOptions[choose(key, "option", keys)];
  option.set(options, value);
  if (option.is_piece) options.piece = key;
}

CompileOptions compile_options(const meshmul_options& options) {
  if (!options.piece.empty() && !options.has_design)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} counts where design says how products are overlapped; set that too", options.piece));
  CompileOptions compile;
  compile.plan = options.plan;
  if (options.algorithm || options.has_design)
    compile.lower = {options.algorithm.value_or(Algorithm::kAutomatic), options.overlap};
  return compile;
}

ExecuteOptions execute_options(const meshmul_options& options, const Executor& backend) {
  if (options.execute.ranks_per_gpu && backend.name() != "cuda")
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("ranks-per-gpu counts for the backend cuda; found {}", backend.name()));
  return options.execute;
}

}  // namespace meshmul::c_api

using namespace meshmul::c_api;

meshmul_options* meshmul_options_new() {
  meshmul_options* options = nullptr;
  (void)guarded([&] { options = new meshmul_options(); });
  return options;
}

void meshmul_options_free(meshmul_options* options) { delete options; }

meshmul_status meshmul_options_set(meshmul_options* options, const char* key, const char* value) {
  return guarded([&] { set(required(options, "options"), required_text(key, "key"), required_text(value, "value")); });
}
