#include "overlap_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include "arguments.hpp"
#include "base/option_values.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cli {
namespace {

Design read_design(const std::string& word) {
  std::vector<std::string> names;
  for (const Design design : designs()) names.emplace_back(name(design));
  return designs()[choose(word, "--design", names)];
}

// A detail of designs that were not asked for is a mistake.
void refuse_idle_details(const OverlapWords& words, const OverlapChoice& choice) {
  const auto is_asked = [&](std::initializer_list<Design> gather, std::initializer_list<Design> reduce) {
    const auto has_one = [&](const OverlapOptions& options) {
      return std::ranges::find(gather, options.gather) != gather.end() ||
             std::ranges::find(reduce, options.reduce) != reduce.end();
    };
    return (choice.all && has_one(*choice.all)) ||
           std::ranges::any_of(choice.products, has_one, &NamedOverlap::overlap);
  };
  struct Detail {
    const char* option;
    const std::string& value;
    const char* designs;
    bool counts;
  };
  const bool pulls = is_asked({Design::kPull}, {});
  const bool pushes = is_asked({Design::kPush}, {});
  const bool chunks = is_asked({Design::kPull}, {Design::kInPlace, Design::kPush});
  const Detail details[] = {{"--chunks", words.chunks, "pull operands, and in-place or push sums", chunks},
                            {"--rows-per-round", words.rows, "push operands", pushes},
                            {"--slots", words.slots, "push operands", pushes},
                            {"--copy-bytes", words.copy_bytes, "pull operands", pulls},
                            {"--copy-lanes", words.copy_lanes, "pull operands", pulls}};
  for (const Detail& detail : details)
    if (!detail.value.empty() && !detail.counts)
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{} counts where --design says {}; expected another design, or no such option",
                              detail.option, detail.designs));
}

// Without designs.
OverlapOptions read_pieces(const OverlapWords& words) {
  OverlapOptions pieces;
  if (!words.chunks.empty()) pieces.chunks_per_shard = parse_count(words.chunks, "--chunks", 1);
  if (!words.rows.empty())
    pieces.rows_per_round = parse_count(words.rows, "--rows-per-round", 1, std::numeric_limits<std::int64_t>::max());
  if (!words.slots.empty()) pieces.slots = parse_count(words.slots, "--slots", 2);
  if (!words.copy_bytes.empty()) pieces.copy_bytes = parse_bytes(words.copy_bytes, "--copy-bytes");
  if (!words.copy_lanes.empty()) pieces.copy_lanes = parse_count(words.copy_lanes, "--copy-lanes", 1);
  return pieces;
}

OverlapOptions with_designs(OverlapOptions options, Design gather, Design reduce) {
  options.gather = gather;
  options.reduce = reduce;
  return options;
}

// `pull` or `pull,ring`, and after these `H=pull,X=ring`.
struct DesignWords {
  std::optional<std::string> all;
  std::vector<std::string> named;
};
DesignWords words_of(const std::string& designs) {
  if (designs.empty()) return {};
  const std::size_t equals = designs.find('=');
  if (equals == std::string::npos) return {designs, {}};
  const std::size_t comma = designs.rfind(',', equals);
  if (comma == std::string::npos) return {std::nullopt, split(designs, ',')};
  return {designs.substr(0, comma), split(designs.substr(comma + 1), ',')};
}

}  // namespace

void add_overlap(CLI::App& verb, OverlapWords& words) {
  add_value(verb, "--design", words.designs,
            "How a product and what moves beside it become one program: sequential, in-place, pull, push, ring, "
            "ring-both-ways; two words say it for operands and for sums, and H=NAME for products that make H",
            "NAME[,NAME]");
  add_value(verb, "--chunks", words.chunks, "Pieces of a shard that are multiplied as they come (default: 1)", "N");
  add_value(verb, "--rows-per-round", words.rows, "Rows that --design push moves at a time (default: a quarter shard)",
            "N");
  add_value(verb, "--slots", words.slots, "Rounds of --design push that have memory at a time (default: 2)", "N");
  add_value(verb, "--copy-bytes", words.copy_bytes, "Most bytes that --design pull reads at a time (default: a chunk)",
            "1MiB");
  add_value(verb, "--copy-lanes", words.copy_lanes, "Lanes in which --design pull reads (default: 1)", "N");
}

OverlapChoice read_overlap(const OverlapWords& words) {
  const OverlapOptions pieces = read_pieces(words);
  const DesignWords designs = words_of(words.designs);
  OverlapChoice choice;
  for (const std::string& word : designs.named) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("--design: \"{}\" names no array; expected NAME=DESIGN after the first", word));
    const std::string array = word.substr(0, equals);
    if (std::ranges::find(choice.products, array, &NamedOverlap::name) != choice.products.end())
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("--design {} names {} twice; expected each array once", words.designs, array));
    const Design design = read_design(word.substr(equals + 1));
    choice.products.push_back({array, with_designs(pieces, design, design)});
  }
  if (designs.all) {
    const std::size_t comma = designs.all->find(',');
    const Design gather = read_design(designs.all->substr(0, comma));
    choice.all =
        with_designs(pieces, gather, comma == std::string::npos ? gather : read_design(designs.all->substr(comma + 1)));
  }
  refuse_idle_details(words, choice);
  return choice;
}

}  // namespace meshmul::cli
