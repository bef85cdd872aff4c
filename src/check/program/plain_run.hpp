#pragma once
// What a program returns, recomputed in f64 statement after statement, pass after pass.

#include <cstdint>
#include <optional>
#include <vector>

#include "meshmul/check.hpp"
#include "meshmul/program.hpp"
#include "plain_value.hpp"

namespace meshmul::checking {

/// The outputs of `program`, as `outputs(program)`, for its given arrays, those of `inputs(program)`. With `noise` every
/// statement adds random errors as large as its roundings, from that seed.
std::vector<PlainValue> plain_outputs(const Program& program, const std::vector<Terms>& given,
                                      const CheckOptions& options, std::optional<std::uint64_t> noise);

}  // namespace meshmul::checking
