#pragma once
// Fills the inputs of a loaded schedule with whole numbers, runs it, and holds its output against what it should be.

#include <cstdint>
#include <string>
#include <vector>

#include "meshmul/execute.hpp"
#include "meshmul/schedule.hpp"
#include "support/plain_einsum.hpp"

namespace meshmul::testing {

/// The value of an element of input number `input` at global position `linear`, in the partial term `term` (0 for a
/// complete array): -1, 0 or 1, from these numbers and `seed` alone.
std::int64_t input_value(std::uint64_t seed, int input, std::int64_t term, std::int64_t linear);

/// The complete inputs of `statement`: partial terms added.
std::vector<Integers> complete_inputs(const Statement& statement, const Mesh& mesh, std::uint64_t seed);

/// Writes every input shard of the contract, runs once, and compares every output element: on every rank exactly, and
/// for an output with partial sums their sum. Empty if all is right, else the first difference in words.
std::string run_and_compare(Session& session, const Schedule& schedule, std::uint64_t seed);

}  // namespace meshmul::testing
