#pragma once
// What a lane knows to be over: a sparse vector clock with one component a lane (its synchronous ops) and one a stream
// of arrivals (the puts or gets that raise one word).

#include <cstddef>
#include <utility>
#include <vector>

namespace meshmul {

/// The first `count` entries of component `key` are over. Lanes and streams share the numbers of the keys.
class Knowledge {
 public:
  int count(int key) const;
  void learn(int key, int count);
  void learn(const Knowledge& other);

 private:
  std::vector<std::pair<int, int>> counts_;  // by key
};

}  // namespace meshmul
