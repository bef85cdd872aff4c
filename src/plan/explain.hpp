#pragma once
// A plan in words: what each mesh axis does, and why a way lost.

#include <string>
#include <vector>

#include "meshmul/plan.hpp"
#include "plan/ranking.hpp"

namespace meshmul {

/// One sentence per mesh axis: which of the four cases of a sharded product it is, the moves that it takes part in, and
/// what it does in the local product. Uses mesh, statement (closed) and steps of `plan`.
std::vector<std::string> explain_axes(const Plan& plan);

struct Comparison {
  Price winner, loser;
  double memory_limit = 0;
  bool overlapped = false;  ///< which time decided
};

/// The term in which the loser lost: memory, a step that the winner does not have, the product, or order alone.
std::string explain_loss(const Comparison& comparison, const std::vector<Step>& winner, const std::vector<Step>& loser,
                         const Mesh& mesh);

}  // namespace meshmul
