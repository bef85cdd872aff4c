// A way to build a plan, in words.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "meshmul/tune.hpp"

namespace meshmul {
namespace {

std::string words(Design design, const OverlapOptions& options, bool of_operands) {
  std::string text{name(design)};
  if (design == Design::kPush && of_operands) {
    text += options.rows_per_round ? fmt::format(" by {} rows", *options.rows_per_round) : "";
    return text + fmt::format(" into {} slots", options.slots);
  }
  const bool in_chunks = design == Design::kPush || design == Design::kInPlace || design == Design::kPull;
  if (in_chunks && options.chunks_per_shard > 1) text += fmt::format(" in {} chunks", options.chunks_per_shard);
  return text;
}

}  // namespace

std::string to_string(const LowerOptions& options) {
  const OverlapOptions& overlap = options.overlap;
  const std::string algorithm{
      name(options.algorithm == Algorithm::kAutomatic ? Algorithm::kDirect : options.algorithm)};
  if (!overlap.any()) return algorithm;
  const std::string gather = words(overlap.gather, overlap, true);
  const std::string reduce = words(overlap.reduce, overlap, false);
  if (overlap.gather == Design::kSequential) return "overlapped " + reduce;
  if (overlap.reduce == Design::kSequential) return "overlapped " + gather;
  return fmt::format("overlapped {}, sums {}", gather, reduce);
}

std::string to_string(const ProgramWay& way) {
  if (way.parts.empty()) return to_string(way.rest);
  struct Built {
    std::string way;
    std::vector<std::string> names;
  };
  std::vector<Built> all;
  for (const PartWay& part : way.parts) {
    const std::string words = to_string(part.lower);
    auto same = std::ranges::find(all, words, &Built::way);
    if (same == all.end()) same = all.insert(all.end(), {words, {}});
    if (std::ranges::find(same->names, part.name) == same->names.end()) same->names.push_back(part.name);
  }
  if (all.size() == 1) return all.front().way;
  std::string text;
  for (const Built& built : all)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fmt::join(built.names, ", "), built.way);
  return text;
}

}  // namespace meshmul
