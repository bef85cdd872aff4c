#pragma once
// The chosen way to do a whole program: how every array is cut, the steps of every statement, and the other strategies
// with the reasons why they lost.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meshmul/differentiate.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/program.hpp"

namespace meshmul {

/// An elementwise function where its arrays lie. Its price is that of loading the sources and storing the result.
struct LocalMap {
  MapFunction function = MapFunction::kAdd;
  std::vector<ArrayType> sources;
  ArrayType result;
  StepCost cost;
};

/// The moves of a program act on operand kA or kB, the first or second array that the statement reads, or on kC, the one
/// that it makes; those of a change of sharding on kA.
using ProgramStep = std::variant<Move, LocalProduct, LocalMap>;

enum class PartKind {
  kStatement,  ///< a statement
  kEnterLoop,  ///< a carried array goes from `before` to `begin`
  kNextPass,   ///< a carried array goes from `end` to `begin`
};

/// What is done in one go: a statement, or a change of sharding that a loop needs.
struct PlannedPart {
  PartKind kind = PartKind::kStatement;
  int item = 0;              ///< the item of the program that it belongs to
  std::optional<int> index;  ///< inside of a loop: the statement of its body, or the carry
  std::int64_t times = 1;    ///< how often it is done

  /// As in a Plan: moves of the first array read, of the second, the product or function, moves of the result. No steps
  /// where a carried array is in its place already.
  std::vector<ProgramStep> steps;
  /// The function of a product (`gelu(X * W)`) is applied as this step writes its result: the first that leaves
  /// complete sums.
  std::optional<int> function_step;
  double seconds_sequential = 0;   ///< once: the sum over its steps
  double seconds_overlapped = 0;   ///< once: the longer of its moves and its product
  std::int64_t working_bytes = 0;  ///< per device: what it reads, and every array and scratch that its steps make
  std::int64_t peak_bytes = 0;     ///< per device: that, and everything else that has to be kept at that time
  std::optional<OnChip> on_chip;   ///< of a product, as in a Plan
  std::vector<std::string> cases;  ///< of a product: one sentence per mesh axis
};

/// How a plan treats its weights: the given arrays that products take with data of the batch (docs/planning.md).
enum class Strategy {
  kReplicated,             ///< every array is whole on every device
  kDataParallel,           ///< weights are whole, also in products; other arrays are cut
  kTensorParallel,         ///< every weight is cut, and stays where it is
  kFsdp,                   ///< every weight is cut, and gathered whole before it is used
  kFsdpAndTensorParallel,  ///< every weight is cut, and partly gathered before it is used
  kMixed,                  ///< none of these
};
/// `replicated`, `data parallel`, `tensor parallel`, `FSDP`, `FSDP + tensor parallel`, `mixed`.
std::string_view name(Strategy strategy);

/// One way to do a program.
struct PlannedProgram {
  Program program;  ///< every sharding known, and every gradient written out
  std::vector<PlannedPart> parts;
  std::vector<Activation> activations;  ///< what gradients need of the forward pass: kept, or computed again
  std::optional<Strategy> strategy;     ///< nothing without weights
  double seconds_sequential = 0;        ///< sum over all parts, as often as they are done
  double seconds_overlapped = 0;        ///< the same of their times with overlap
  double sent_bytes = 0;                ///< by each device in all
  std::int64_t peak_bytes = 0;          ///< per device: the largest of all parts
};

/// The best plan of a strategy that is not the winner's.
struct RejectedProgram {
  PlannedProgram way;
  double seconds = 0;  ///< the time that counted
  bool fits = true;    ///< into the memory
  std::string reason;  ///< the term in which it lost, in words
};

struct ProgramPlan {
  Mesh mesh;
  std::string hardware;
  CostSettings cost;                ///< by which it was chosen
  std::vector<std::int64_t> slice;  ///< that it was planned on; empty: none in particular
  Mapping mapping;                  ///< of the mesh onto it; empty then
  PlannedProgram best;
  std::vector<RejectedProgram> rejected;      ///< fastest first
  std::optional<std::int64_t> memory_limit;   ///< bytes per device that the plan had to keep to
  std::optional<std::int64_t> on_chip_bytes;  ///< of the chip, if it is known
};

/// The fastest plan of the program whose peak fits into memory: a search over the shardings of all arrays that nobody
/// wrote, which are complete ones, and over all ways to do each statement between them. Gradients are written out
/// (`differentiate`) with what they need kept, with functions computed again, and with pre-activations computed again:
/// the fastest that fits is taken. Cotangents may also be left partial between statements, unless a wire dtype is asked
/// for. Every size must be known. Ties: fewer bytes sent, then less memory, then text order.
/// Throws Error(kInvalidArgument) as `plan` does of a statement; if no plan fits, with the smallest peak that there is
/// and the shardings that have it.
ProgramPlan plan(const Program& program, const Mesh& mesh, const Hardware& hardware, const PlanOptions& options = {});

/// As a table for people.
std::string to_string(const ProgramPlan& plan);

/// The same facts as a document in Markdown, with tables.
std::string plan_markdown(const ProgramPlan& plan);

/// The same facts as JSON; seconds, bytes and FLOPs without prefixes.
std::string plan_json(const ProgramPlan& plan);

}  // namespace meshmul
