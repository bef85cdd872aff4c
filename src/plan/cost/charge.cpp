#include "plan/cost/charge.hpp"

#include <cmath>

namespace meshmul {

double share_of_others(CountRule count, double group, double links) {
  if (group <= 1) return 0;
  switch (count) {
    case CountRule::kLimit: return 1;
    case CountRule::kFinite: return (group - 1) / group;
    case CountRule::kWholeChunk: return std::ceil((group - 1) / links) * links / group;
  }
  __builtin_unreachable();
}

}  // namespace meshmul
