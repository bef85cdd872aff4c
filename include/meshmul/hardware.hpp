#pragma once
// What the cost model may know about a machine.

#include <string>

namespace meshmul {

struct Hardware {
  std::string name;
};

}  // namespace meshmul
