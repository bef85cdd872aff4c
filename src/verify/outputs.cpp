#include "outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "meshmul/layout.hpp"

namespace meshmul::verification {
namespace {

class OutputChecker {
 public:
  OutputChecker(SymbolicState& state, std::vector<Finding>& findings) : state_(state), findings_(findings) {}

  void check() {
    for (const Holding& holding : state_.schedule().contract.outputs) {
      const NamedArray& array = state_.contract().outputs.at(holding.array);
      if (array.type->sharding.unreduced.empty())
        check_complete(holding, array);
      else
        collect(holding, array);
    }
    for (const auto& [key, partial] : partials_) check_together(key.first, partial);
  }

 private:
  // What the ranks along the unreduced axes hold together, in coordinates of the array.
  struct Partial {
    int first_rank = 0;
    Value sum;
    bool faulty = false;
  };

  template <class... Args>
  void fault(fmt::format_string<Args...> format, Args&&... args) {
    findings_.push_back({Rule::kCoverage, std::nullopt, fmt::format(format, std::forward<Args>(args)...)});
  }

  std::string text(const Holding& holding, const Box& box) const {
    const Region part{holding.region.rank, holding.region.buffer, box};
    return fmt::format("output {} of rank {}: {}", holding.array, part.rank,
                       to_string(state_.schedule(), part.rank, part));
  }

  // False, with a finding, if the holding is undefined or holds something else. Terms are not looked at.
  bool has_elements(const Holding& holding, const Placement& expected) {
    const Value& value = state_.value(holding.region);
    if (const std::optional<Box> part = value.undefined_part(holding.region.box)) {
      fault("{} is undefined; expected {}", text(holding, *part), state_.complete_text(expected, *part));
      return false;
    }
    const Value held = value.within(holding.region.box);
    for (const Piece& piece : held.pieces()) {
      if (piece.placement.tensor == kFaulty) return false;
      if (piece.placement.tensor == kZeros || piece.placement == expected || is_summand(piece, expected)) continue;
      if (piece.placement.tensor == kOnes && expected.tensor == kOnes) continue;
      fault("{} holds {}; expected {}", text(holding, piece.box), state_.text(piece),
            state_.complete_text(expected, piece.box));
      return false;
    }
    return true;
  }

  // A part of a sum that has no term of all the others, as where nothing is added up.
  bool is_summand(const Piece& piece, const Placement& expected) const {
    if (expected.tensor < 0 || piece.placement.tensor < 0) return false;
    Placement lifted = piece.placement;
    lifted.tensor = expected.tensor;
    const std::vector<int> all = state_.contract().summands_of(expected.tensor);
    const std::vector<int> part = state_.contract().summands_of(piece.placement.tensor);
    return lifted == expected && std::includes(all.begin(), all.end(), part.begin(), part.end());
  }

  void check_complete(const Holding& holding, const NamedArray& array) {
    const Placement expected = placement_of(array, holding.global, holding.region.box);
    if (!has_elements(holding, expected)) return;
    if (array.tensor < 0) return check_constant(holding, expected);
    const std::int64_t all = state_.contract().num_terms(array.tensor);
    const Value held = state_.value(holding.region).within(holding.region.box);
    for (const Piece& piece : held.pieces())
      if (state_.terms().num_terms(piece.terms) != all) {
        fault("{} holds {}; expected {}", text(holding, piece.box), state_.text(piece),
              state_.complete_text(expected, piece.box));
        return;
      }
  }

  // Zeros are what `has_elements` takes for everything.
  void check_constant(const Holding& holding, const Placement& expected) {
    const Value held = state_.value(holding.region).within(holding.region.box);
    for (const Piece& piece : held.pieces())
      if (piece.placement.tensor != expected.tensor) {
        fault("{} holds {}; expected {}", text(holding, piece.box), state_.text(piece),
              state_.complete_text(expected, piece.box));
        return;
      }
  }

  void collect(const Holding& holding, const NamedArray& array) {
    const Mesh& mesh = state_.schedule().contract.mesh;
    const int first_rank = mesh.group(holding.region.rank, array.type->sharding.unreduced).front();
    const auto [entry, is_new] = partials_.try_emplace({holding.array, first_rank});
    Partial& partial = entry->second;
    if (is_new) {
      partial.first_rank = first_rank;
      partial.sum.assign({local_box(*array.type, mesh, first_rank), {}, TermSets::kNone});
    }
    if (!has_elements(holding, placement_of(array, holding.global, holding.region.box))) partial.faulty = true;
    if (partial.faulty) return;
    const Value held = state_.value(holding.region).within(holding.region.box);
    for (const Piece& piece : held.pieces()) {
      const auto clash = state_.add(partial.sum, moved(piece, holding.region.box, holding.global, {}));
      if (!clash) continue;
      fault("{} holds {}, and another rank along {{U_…}} has {}", text(holding, piece.box), state_.text(piece),
            state_.text(clash->before));
      partial.faulty = true;
      return;
    }
  }

  void check_together(const std::string& name, const Partial& partial) {
    if (partial.faulty) return;
    const NamedArray& array = state_.contract().outputs.at(name);
    if (array.tensor == kZeros) return;  // that every rank has elements of
    const std::int64_t all = state_.contract().num_terms(array.tensor);
    for (const Piece& piece : partial.sum.pieces()) {
      if (state_.terms().num_terms(piece.terms) == all) continue;
      const Placement expected = placement_of(array, piece.box, piece.box);
      const auto ranks = state_.schedule().contract.mesh.group(partial.first_rank, array.type->sharding.unreduced);
      fault("output {} of ranks {} together: {}; expected {}", name, fmt::join(ranks, ", "), state_.text(piece),
            state_.complete_text(expected, piece.box));
      return;
    }
  }

  SymbolicState& state_;
  std::vector<Finding>& findings_;
  std::map<std::pair<std::string, int>, Partial> partials_;  // by array and first rank
};

}  // namespace

void check_outputs(SymbolicState& state, std::vector<Finding>& findings) { OutputChecker(state, findings).check(); }

}  // namespace meshmul::verification
