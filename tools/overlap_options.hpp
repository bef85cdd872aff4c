#pragma once
// The options that say how products are overlapped with what moves beside them.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/lower.hpp"
#include "meshmul/tune.hpp"

namespace meshmul::cli {

/// As they were written; empty: not given.
struct OverlapWords {
  std::string designs;
  std::string chunks;
  std::string rows;
  std::string slots;
  std::string copy_bytes;
  std::string copy_lanes;
};

/// --design, --chunks, --rows-per-round, --slots, --copy-bytes and --copy-lanes.
void add_overlap(CLI::App& verb, OverlapWords& words);

/// `--design` as it is meant: for all products, nothing if no word is; and for those that make an array of a name.
struct OverlapChoice {
  std::optional<OverlapOptions> all;
  std::vector<NamedOverlap> products;
};

/// Throws Error(kInvalidArgument) naming the option, what was found and what was expected;
/// also if a detail is given without --design.
OverlapChoice read_overlap(const OverlapWords& words);

}  // namespace meshmul::cli
