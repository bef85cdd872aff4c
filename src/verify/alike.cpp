#include "alike.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace meshmul::verification {
namespace {

// `text` with `#` instead of each number.
std::string without_numbers(std::string_view text) {
  std::string result;
  bool in_number = false;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) result += c;
    if (is_digit && !in_number) result += '#';
    in_number = is_digit;
  }
  return result;
}

std::string kind_of(const Finding& finding, const Schedule& schedule) {
  std::string kind(name(finding.rule));
  if (finding.place) {
    const auto& [rank, lane_number, op] = *finding.place;
    const auto& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    const Lane& lane = lanes[static_cast<std::size_t>(lane_number)];
    kind.append(" ").append(mnemonic(lane.ops[static_cast<std::size_t>(op)]));
    kind += " " + without_numbers(lane.name);
  }
  return kind + ": " + without_numbers(finding.sentence);
}

bool is_earlier(const Finding& a, const Finding& b) { return a.place && b.place && a.place->op < b.place->op; }

}  // namespace

std::vector<Finding> one_of_each_kind(std::vector<Finding> findings, const Schedule& schedule) {
  std::vector<Finding> kept;
  std::unordered_map<std::string, std::size_t> places;  // by kind
  for (Finding& finding : findings) {
    const auto [found, is_new] = places.try_emplace(kind_of(finding, schedule), kept.size());
    if (is_new) {
      kept.push_back(std::move(finding));
      continue;
    }
    Finding& first = kept[found->second];
    const std::int64_t num_alike = first.num_alike + 1;
    if (is_earlier(finding, first)) first = std::move(finding);
    first.num_alike = num_alike;
  }
  return kept;
}

std::string first_and_others(const std::vector<Finding>& findings, const Schedule& schedule) {
  const std::string first = to_string(findings.front(), schedule);
  if (findings.size() == 1) return first;
  return fmt::format("{} ({} other {})", first, findings.size() - 1, findings.size() == 2 ? "finding" : "findings");
}

}  // namespace meshmul::verification
