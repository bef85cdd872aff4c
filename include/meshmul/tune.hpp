#pragma once
// Which way to build a plan is the fastest on a machine: all that there are, simulated.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/hardware.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/lower_program.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/program_plan.hpp"
#include "meshmul/program_way.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/simulate.hpp"

namespace meshmul {

/// `direct`, `overlapped pull in 4 chunks`, `overlapped push by 512 rows into 2 slots, sums in-place`
std::string to_string(const LowerOptions& options);
/// That of all, or `H: overlapped pull in 4 chunks; Y, Z: ring` if there are several.
std::string to_string(const ProgramWay& way);

/// One way to build a plan, the time that the simulator gives it, and the bytes of all buffers of one rank.
template <class Way>
struct CandidateOf {
  Way lower;
  std::int64_t makespan_ps = 0;
  std::int64_t bytes_per_rank = 0;
};
using Candidate = CandidateOf<LowerOptions>;
using ProgramCandidate = CandidateOf<ProgramWay>;

/// What `options` come to for `plan`: a side of its product beside which nothing moves is sequential; of a program one
/// beside which nothing moves in any of its products. Throws Error(kInvalidArgument) with what would fit if they ask for
/// overlap and there is none on either side, for more chunks, rows or slots than the largest shard has, and for rings where
/// something moves and nothing of it goes round one.
LowerOptions applied(const LowerOptions& options, const Plan& plan);
LowerOptions applied(const LowerOptions& options, const ProgramPlan& plan);

/// The overlap of the products that make the arrays called `name`.
struct NamedOverlap {
  std::string name;
  OverlapOptions overlap;
};
/// The same where some products have their own, and all others `options`. Throws also if no product makes an array of a name, or
/// if there is nothing to overlap in one.
ProgramWay applied(const LowerOptions& options, const std::vector<NamedOverlap>& products, const ProgramPlan& plan);

/// The ways to build `plan` that differ, the simplest first: without overlap by each algorithm; where a move stands next to
/// a product, by each design with several sizes of its pieces; in place only where devices share one memory. All statements
/// of a program are built in one way.
std::vector<LowerOptions> ways_to_build(const Plan& plan, const Hardware& hardware, const Capabilities& available);
std::vector<LowerOptions> ways_to_build(const ProgramPlan& plan, const Hardware& hardware,
                                        const Capabilities& available);

/// Those ways, legalized for a backend and simulated on `hardware`, fastest first; of equally fast ones the simplest. So the
/// first is never one that loses against another. Those that cannot be simulated are left out. What was simulated once in
/// this process is remembered. Throws as `lower` does.
std::vector<Candidate> tune(const Plan& plan, const Hardware& hardware, const Capabilities& available,
                            const SimulateOptions& options = {});
/// Of a program also one that may build every product in a way of its own, if it is faster than the fastest of those that fits
/// into `memory_bytes`: from that on, the way of one product after the other is exchanged for whichever makes the whole
/// program the fastest and fits, until no exchange helps, or so many ops have been simulated that it would take seconds.
std::vector<ProgramCandidate> tune(const ProgramPlan& plan, const Hardware& hardware, const Capabilities& available,
                                   const SimulateOptions& options = {},
                                   std::optional<std::int64_t> memory_bytes = std::nullopt);

/// Throws Error(kInvalidArgument): `plan`, built by `way`, takes `bytes` a rank, more than `most`. The sentence names the way
/// that takes least.
[[noreturn]] void refuse_memory(const Plan& plan, const LowerOptions& way, std::int64_t bytes, std::int64_t most,
                                const Hardware& hardware, const Capabilities& available);
[[noreturn]] void refuse_memory(const ProgramPlan& plan, const ProgramWay& way, std::int64_t bytes, std::int64_t most,
                                const Hardware& hardware, const Capabilities& available);

/// The way of the first that takes at most `memory_bytes` a rank, if that is given; without overlap by the direct forms if
/// there is none.
LowerOptions fastest(const std::vector<Candidate>& candidates, std::optional<std::int64_t> memory_bytes = std::nullopt);
ProgramWay fastest(const std::vector<ProgramCandidate>& candidates,
                   std::optional<std::int64_t> memory_bytes = std::nullopt);

}  // namespace meshmul
