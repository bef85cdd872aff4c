#pragma once
// The chunk-level program of a set of ranks: buffers, signals, lanes, and the only list of ops. docs/schedule-ir.md
// gives the meaning of every op as a table of events; verifier, simulator and executors are written from it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meshmul/box.hpp"
#include "meshmul/contract_statement.hpp"
#include "meshmul/dtype.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {

/// Memory that every rank has once, of one shape, row-major, 64-byte aligned. A short shard lies in its leading corner.
struct BufferDecl {
  std::string name;
  Dtype dtype = Dtype::kF32;
  Shape shape;
  bool symmetric = true;  ///< peers may address it; otherwise it is private to its rank

  std::int64_t num_bytes() const { return Box::whole(shape).num_elements() * size_bytes(dtype); }
  bool operator==(const BufferDecl&) const = default;
};

/// A 64-bit counter of which every rank has one, and which only grows. Each such word has exactly one writing lane.
struct SignalDecl {
  std::string name;
  bool operator==(const SignalDecl&) const = default;
};

/// A box of a buffer of a rank. `buffer` is an index into Schedule::buffers.
struct Region {
  int rank = 0;
  int buffer = 0;
  Box box;
  bool operator==(const Region&) const = default;
};

/// Writes local `src` to `dst` at a peer, asynchronously. `arrived` (at dst.rank) rises by one once all bytes are
/// visible there, `sent` (local) once `src` may be overwritten.
struct Put {
  Region dst, src;
  int arrived = 0;
  std::optional<int> sent;
  bool operator==(const Put&) const = default;
};

/// Reads `src` at a peer into local `dst`, asynchronously. `arrived` is local, `taken` is raised at src.rank once its
/// bytes have been read.
struct Get {
  Region dst, src;
  int arrived = 0;
  std::optional<int> taken;
  bool operator==(const Get&) const = default;
};

/// Raises `signal` at `peer` by one: a release without data.
struct Signal {
  int peer = 0;
  int signal = 0;
  bool operator==(const Signal&) const = default;
};

/// Passes once the local `signal` has risen to `threshold` in this run: an acquire; does not consume.
struct Wait {
  int signal = 0;
  std::uint64_t threshold = 1;
  bool operator==(const Wait&) const = default;
};

/// dst = src, converted to dst's dtype by one rounding. Dimension d of dst is dimension permutation[d] of src; an empty
/// permutation is the identity.
struct Copy {
  Region dst, src;
  std::vector<int> permutation;
  std::optional<int> arrived;  ///< raised at dst.rank when done; where peers are addressable
  bool operator==(const Copy&) const = default;
};

/// dst += src, added in the accumulator dtype of dst and rounded once into dst. Permutation as in Copy.
struct Reduce {
  Region dst, src;
  std::vector<int> permutation;
  std::optional<int> arrived;
  bool operator==(const Reduce&) const = default;
};

/// c = a * b, or c += a * b with `accumulate`, by an einsum over the dimensions of the regions: `bij,bjk->bik`, one
/// letter a dimension. Sums are in the accumulator dtype of the inputs, rounded once into c. An empty contraction
/// writes zeros.
struct Gemm {
  Region c, a, b;
  std::string einsum;
  bool accumulate = false;
  std::optional<int> arrived;
  bool operator==(const Gemm&) const = default;
};

/// dst = fn(srcs…), elementwise over equal shapes. kZero has no source. The second source of kBias and kScale may also
/// have no dimension, and with `along` it has one, which is dimension `along` of dst: it counts for all elements of dst
/// along the others.
struct Map {
  Region dst;
  MapFunction function = MapFunction::kZero;
  std::vector<Region> srcs;
  std::optional<int> arrived;
  std::optional<int> along = {};
  bool operator==(const Map&) const = default;
};

using Op = std::variant<Put, Get, Signal, Wait, Copy, Reduce, Gemm, Map>;
/// The word that opens the op in the text form: put, get, signal, …
std::string_view mnemonic(const Op& op);

/// An in-order queue on one engine of a rank: `compute`, `copy0`, `copy1`, … Ops of different lanes are ordered by
/// signals alone.
struct Lane {
  std::string name;
  std::vector<Op> ops;
  /// The line, from 1, on which each op stood in the text that the lane was read from; empty if it was not read.
  std::vector<std::int64_t> lines = {};
  /// Lines do not count.
  bool operator==(const Lane& other) const { return name == other.name && ops == other.ops; }
};

struct RankProgram {
  std::vector<Lane> lanes;
  bool operator==(const RankProgram&) const = default;
};

/// `region` of its rank holds the global box `global` of an array. The region has the extents of `global`.
struct Holding {
  std::string array;
  Box global;
  Region region;
  bool operator==(const Holding&) const = default;
};

/// What the schedule claims to do: from the inputs where they lie, the output where it is to lie. For an array with
/// {U_…} a holding is the partial term of its rank's coordinates.
struct Contract {
  Mesh mesh;
  std::vector<ContractStatement> statements;  ///< each array has one name, which later ones use
  std::vector<Holding> inputs;
  std::vector<Holding> outputs;
  /// Every rank's shard of an output may be that which the sharding gives to another rank, one to one; `outputs` says
  /// whose it is. Neighbours exchange shards in this way.
  bool displaced = false;
  bool operator==(const Contract&) const = default;
};

/// The statement of a contract that has one, and no function.
const Statement& single_statement(const Contract& contract);

/// What a backend offers, and what a legalized schedule asks for.
struct Capabilities {
  bool get = true;          ///< one-sided reads
  bool addressable = true;  ///< gemm, reduce, map and copy may touch a peer's region in place
  bool strided = true;      ///< a put or get may move a box that is not contiguous
  bool barrier = true;      ///< no rank begins a run before the one before it is over on all ranks
  bool operator==(const Capabilities&) const = default;
};

struct Schedule {
  Contract contract;
  Capabilities capabilities;  ///< what it may use: the header `requires …` of the text form
  std::vector<BufferDecl> buffers;
  std::vector<SignalDecl> signals;
  std::vector<RankProgram> ranks;  ///< one a device of the mesh

  int num_ranks() const { return static_cast<int>(ranks.size()); }
  bool operator==(const Schedule&) const = default;
};

/// The text form, and back. `parse_schedule` throws Error(kInvalidArgument) with the place of what is wrong.
std::string to_string(const Schedule& schedule);
Schedule parse_schedule(std::string_view text);

/// Bytes of all buffers of one rank.
std::int64_t bytes_per_rank(const Schedule& schedule);

/// Bytes that one run moves from rank to rank: by puts and gets, and by other ops that touch a peer's memory in place.
std::int64_t bytes_between_ranks(const Schedule& schedule);

/// Where an op stands: rank, lane and position, all from 0.
struct OpPlace {
  int rank = 0;
  int lane = 0;
  int op = 0;
  bool operator==(const OpPlace&) const = default;
};

/// The line, from 1, of the op at `place`: in the text that its lane was read from; if it was not read, or has gained or
/// lost ops since, in `to_string(schedule)`.
std::int64_t line_of(const Schedule& schedule, const OpPlace& place);

/// One op, or one region of an op, as it stands in the text form of a lane of `rank`.
std::string to_string(const Schedule& schedule, int rank, const Op& op);
std::string to_string(const Schedule& schedule, int rank, const Region& region);

}  // namespace meshmul
