#include "overlap_options.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "meshmul/error.hpp"
#include "units.hpp"

namespace meshmul::cli {
namespace {

Design read_design(const std::string& word) {
  std::vector<std::string> names;
  for (const Design design : designs()) names.emplace_back(name(design));
  return designs()[choose(word, "--overlap", names)];
}

int read_count(const std::string& text, const std::string& option, int least) {
  return static_cast<int>(parse_count(text, option, least, std::numeric_limits<int>::max()));
}

void refuse_details(const OverlapWords& words) {
  const std::pair<const char*, const std::string*> details[] = {{"--chunks", &words.chunks},
                                                                {"--rows-per-round", &words.rows},
                                                                {"--slots", &words.slots},
                                                                {"--copy-bytes", &words.copy_bytes},
                                                                {"--copy-lanes", &words.copy_lanes}};
  for (const auto& [option, value] : details)
    if (!value->empty())
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{} is a detail of a design; say which one, as in --overlap pull", option));
}

}  // namespace

void add_overlap(CLI::App& verb, OverlapWords& words) {
  add_value(verb, "--overlap", words.designs,
            "How a product and what moves beside it become one program: sequential, in-place, pull, push, ring, "
            "ring-both-ways; two words say it for operands and for sums",
            "NAME[,NAME]");
  add_value(verb, "--chunks", words.chunks, "Pieces of a shard that are multiplied as they come (default: 1)", "N");
  add_value(verb, "--rows-per-round", words.rows, "Rows that --overlap push moves at a time (default: a quarter shard)",
            "N");
  add_value(verb, "--slots", words.slots, "Rounds of --overlap push that have memory at a time (default: 2)", "N");
  add_value(verb, "--copy-bytes", words.copy_bytes, "Most bytes that --overlap pull reads at a time (default: a chunk)",
            "1MiB");
  add_value(verb, "--copy-lanes", words.copy_lanes, "Lanes in which --overlap pull reads (default: 1)", "N");
}

std::optional<OverlapOptions> read_overlap(const OverlapWords& words) {
  if (words.designs.empty()) {
    refuse_details(words);
    return std::nullopt;
  }
  OverlapOptions options;
  const std::size_t comma = words.designs.find(',');
  options.gather = read_design(words.designs.substr(0, comma));
  options.reduce = comma == std::string::npos ? options.gather : read_design(words.designs.substr(comma + 1));
  if (!words.chunks.empty()) options.chunks_per_shard = read_count(words.chunks, "--chunks", 1);
  if (!words.rows.empty())
    options.rows_per_round = parse_count(words.rows, "--rows-per-round", 1, std::numeric_limits<std::int64_t>::max());
  if (!words.slots.empty()) options.slots = read_count(words.slots, "--slots", 2);
  if (!words.copy_bytes.empty()) options.copy_bytes = parse_bytes(words.copy_bytes, "--copy-bytes");
  if (!words.copy_lanes.empty()) options.copy_lanes = read_count(words.copy_lanes, "--copy-lanes", 1);
  return options;
}

}  // namespace meshmul::cli
