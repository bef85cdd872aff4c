#pragma once
// Remembers who touched which memory, and finds the earlier steps that a new one conflicts with.

#include <vector>

#include "box_index.hpp"
#include "effects.hpp"

namespace meshmul {

/// `event` of an earlier step must come before a new step starts, because both touch `buffer`: kReadDone if the earlier
/// one only reads what the new one writes.
struct Need {
  int step = 0;
  Event event = Event::kWriteVisible;
  int buffer = 0;
};

/// Sorts them, the latest step first, and keeps one a step, the stronger of two.
void keep_strongest(std::vector<Need>& needs);

class AccessLog {
 public:
  /// Adds what step number `step` touches (numbers rise). Returns the conflicts with earlier steps, the latest first,
  /// one a step. A conflict that a later write in between covers is left out, since that write has it.
  std::vector<Need> add(int step, const Effects& effects);

 private:
  // By number of the step.
  struct Accesses {
    BoxIndex reads;
    BoxIndex writes;
  };

  Accesses& at(const Region& region);

  std::vector<std::vector<Accesses>> accesses_;  // by rank and buffer
};

}  // namespace meshmul
