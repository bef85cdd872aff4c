#pragma once
// Signal words whose increments become visible in the program order of the lane that makes them.

#include <cstdint>
#include <set>

namespace meshmul {

/// One signal of one rank within one run.
class Word {
 public:
  /// Takes the place of an increment in the order of the word, when its op starts.
  std::uint64_t reserve() { return reserved_++; }

  /// The op's event has happened. The increment shows once all earlier ones have happened too.
  void raise(std::uint64_t place) {
    early_.insert(place);
    while (early_.erase(value_) != 0) ++value_;
  }

  std::uint64_t value() const { return value_; }
  bool operator==(const Word&) const = default;

 private:
  std::uint64_t reserved_ = 0;
  std::uint64_t value_ = 0;
  std::set<std::uint64_t> early_;  // happened, but behind one that has not
};

}  // namespace meshmul
