#pragma once
// What is said of an op at a glance.

#include <cstdint>
#include <string>

#include "meshmul/schedule.hpp"

namespace meshmul::drawing {

/// `put to 3`, `get from 3`, `signal 3`, `wait got >= 2`, `gemm`, `map gelu`.
std::string op_title(const Schedule& schedule, const Op& op);

/// Bytes of what it writes; 0 of a signal or wait.
std::int64_t written_bytes(const Schedule& schedule, const Op& op);

/// Where the bytes of a put or get come from and go to; from a rank to itself for any other op.
struct Route {
  int from = 0;
  int to = 0;
};
Route route_of(const Op& op, int rank);

}  // namespace meshmul::drawing
