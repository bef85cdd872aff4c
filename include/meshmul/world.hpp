#pragma once
// A set of ranks over one backend, and the arrays that are sharded over them. The API reads like the maths:
//
//     World world = World::threads({{"X", 4}, {"Y", 2}});
//     Array a = world.random(dtype::bf16, {8, 2048}, P("X", "Y"));
//     Array b = world.random(dtype::bf16, {2048, 8192}, P(nullptr, "Y"));
//     Array c = einsum("BD,DF->BF", a, b, P("X", "Y"));

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/program.hpp"

namespace meshmul {

/// How one dimension is cut: "X" by one axis, {"X", "Y"} by several (major to minor), nullptr by none.
class DimSpec {
 public:
  DimSpec(std::nullptr_t) {}                  // NOLINT(google-explicit-constructor): reads as P(nullptr, "X")
  DimSpec(const char* axis) : axes_{axis} {}  // NOLINT(google-explicit-constructor)
  DimSpec(std::initializer_list<const char*> axes) : axes_(axes.begin(), axes.end()) {}

  const std::vector<std::string>& axes() const { return axes_; }

 private:
  std::vector<std::string> axes_;
};

/// The sharding of an array, one DimSpec a dimension, by axis names. The short name is that of JAX.
class P {
 public:
  P() = default;
  P(DimSpec d0) : dims_{std::move(d0)} {}  // NOLINT(google-explicit-constructor)
  P(DimSpec d0, DimSpec d1) : dims_{std::move(d0), std::move(d1)} {}
  P(DimSpec d0, DimSpec d1, DimSpec d2) : dims_{std::move(d0), std::move(d1), std::move(d2)} {}
  P(DimSpec d0, DimSpec d1, DimSpec d2, DimSpec d3)
      : dims_{std::move(d0), std::move(d1), std::move(d2), std::move(d3)} {}
  /// For more than four dimensions.
  explicit P(std::vector<DimSpec> dims) : dims_(std::move(dims)) {}

  /// The same sharding with partial sums along `axes`: `P("X", nullptr).unreduced({"Y"})` is `{U_Y}`.
  P unreduced(std::initializer_list<const char*> axes) const;

  /// Axis names become the numbers of `mesh`; dimensions beyond those given are not cut, as in JAX. Throws
  /// Error(kInvalidArgument) for an unknown or repeated axis, or when more than `num_dims` dimensions are given.
  Sharding resolve(const Mesh& mesh, int num_dims) const;

 private:
  std::vector<DimSpec> dims_;
  std::vector<std::string> unreduced_;
};

struct WorldOptions {
  ExecuteOptions execute;
  std::optional<LowerOptions> lower = {};  ///< how plans are built; nothing: in the way that `tune` finds the fastest
  PlanOptions plan;
  std::string hardware = "cpu";  ///< profile that plans are priced on

  static const WorldOptions& defaults();
};

class WorldState;

/// An array whose shards lie on the ranks of a World. A cheap handle: copies share the shards, which never change.
class Array {
 public:
  const ArrayType& type() const;
  Shape shape() const;
  Dtype dtype() const;
  Shape local_shape(int rank) const;
  /// The global box that `rank` holds.
  Box local_box(int rank) const;
  /// Its elements, contiguous, row-major.
  std::span<const std::byte> shard(int rank) const;

  /// The whole array in one piece. Partial sums ({U_…}) are added, in rank order, in the accumulator dtype.
  HostArray gather() const;
  /// What `gather` returns, written to `file.npy` or `file.safetensors[:tensor]`. Throws as ArrayWriter does.
  void save(const std::string& location) const;

 private:
  friend class WorldState;
  struct Data;
  explicit Array(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// Arrays by their names in a program.
using NamedArrays = std::map<std::string, Array>;

/// A mesh of ranks over one backend. Move-only; arrays and plans that came from it keep its state alive.
class World {
 public:
  static World threads(Mesh mesh, const WorldOptions& options = WorldOptions::defaults());
  static World processes(Mesh mesh, const WorldOptions& options = WorldOptions::defaults());
  static World reference(Mesh mesh, const WorldOptions& options = WorldOptions::defaults());
  /// By the name of the backend, as `--backend` takes it.
  static World on(std::string_view backend, Mesh mesh, const WorldOptions& options = WorldOptions::defaults());

  const Mesh& mesh() const;

  /// Values from `seed` and global index alone, so that every mesh gets the same. Partial sums along {U_…} differ.
  Array random(Dtype dtype, const Shape& shape, const P& sharding, std::uint64_t seed = 0);
  Array zeros(Dtype dtype, const Shape& shape, const P& sharding);
  /// Cuts `whole` into shards. With {U_X}, coordinate 0 of X holds the values and the others zeros.
  Array scatter(const HostArray& whole, const P& sharding);
  /// The same from row-major elements in memory of the caller: `std::as_bytes(std::span(values))`.
  Array scatter(Dtype dtype, std::span<const std::byte> elements, const Shape& shape, const P& sharding);
  /// From `file.npy` or `file.safetensors[:tensor]`; each shard is read by itself. Throws as ArrayReader does.
  Array load(const std::string& location, const P& sharding);

  /// The plan that `einsum` would carry out.
  Plan plan_einsum(std::string_view equation, const Array& a, const Array& b, const std::optional<P>& output = {});

  /// Carries out a whole program as one schedule, in the way that is the fastest by simulation: `inputs` are all its given
  /// arrays, and its outputs come back. Sizes that the program leaves out are those of the arrays; a given array whose
  /// sharding is open lies as the array does. Programs are planned once. Throws Error(kInvalidArgument) for an array that
  /// is missing, too many, or other than the program declares it; with the place for a fault in the text.
  NamedArrays run(const Program& program, const NamedArrays& inputs);
  NamedArrays run(std::string_view program, const NamedArrays& inputs);

  /// Builds all ranks anew after a failure. Arrays keep their values.
  void reset();

 private:
  explicit World(std::shared_ptr<WorldState> state) : state_(std::move(state)) {}
  std::shared_ptr<WorldState> state_;
};

/// Plans, lowers in the way that is the fastest by simulation, verifies, runs: `einsum("BD,DF->BF", a, b, P("X", "Y"))`. Index
/// names are single letters. Without an output sharding the planner chooses it. Plans are cached by statement.
Array einsum(std::string_view equation, const Array& a, const Array& b, const std::optional<P>& output = {});

/// Any change of sharding.
Array reshard(const Array& array, const P& sharding);

/// The named collectives. Axes leave or enter as the minor ones of their dimension.
Array all_gather(const Array& array, const std::vector<std::string>& axes);
Array reduce_scatter(const Array& array, const std::vector<std::string>& axes, int dim);
Array all_reduce(const Array& array, const std::vector<std::string>& axes);
Array all_to_all(const Array& array, const std::vector<std::string>& axes, int dim);

/// Ranks at coordinates i and i xor 1 of `axis` swap their shards; the last of an odd number keeps its own. The result has
/// the type of `array`, so all shards must have one shape. Throws Error(kInvalidArgument) if they do not, for an unknown
/// axis, and for partial sums.
Array exchange_pairs(const Array& array, const std::string& axis);
/// Every rank sends its shard `distance` steps along `axis`, round the end; negative goes down. Throws as exchange_pairs.
Array shift(const Array& array, const std::string& axis, std::int64_t distance);

}  // namespace meshmul
