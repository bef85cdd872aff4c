#pragma once
// What the handles World and Array share: the mesh, the backend, and the schedules that are loaded on it.

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "meshmul/compile.hpp"
#include "meshmul/lower_program.hpp"
#include "meshmul/world.hpp"

namespace meshmul {

/// The elements of an array, one shard a rank. Ranks that hold equal values may share a shard.
struct Array::Data {
  std::shared_ptr<WorldState> world;
  ArrayType type;  ///< dimensions without index names
  std::vector<std::shared_ptr<const HostArray>> shards;
};

/// An input or output of a schedule, as the contract calls it: array number `number` of those that are given or returned,
/// or a slice of it along the first dimension.
struct ContractArray {
  std::string name;
  std::size_t number = 0;
  std::optional<std::int64_t> slice = {};
};

/// A schedule, and what goes in and comes out.
struct BuiltSchedule {
  Schedule schedule;
  std::vector<ContractArray> inputs;
  std::vector<ContractArray> outputs;
  std::vector<ArrayType> output_types;
};

/// Of a contract with one statement.
BuiltSchedule of_statement(Schedule schedule);

class WorldState : public std::enable_shared_from_this<WorldState> {
 public:
  WorldState(std::string_view backend, Mesh mesh, WorldOptions options);

  const Mesh& mesh() const { return mesh_; }
  const Executor& executor() const { return *executor_; }

  /// Makes an array; `fill` writes the shard of one rank. Ranks that hold the same box share what the first one got,
  /// unless the array has partial sums.
  Array make_array(Dtype dtype, const Shape& shape, const P& sharding,
                   const std::function<void(int rank, const Box& global, HostArray& shard)>& fill);

  /// Cuts a complete array into shards; `read` reads a box of it. With {U_X}, coordinate 0 of X gets the values.
  Array scatter(Dtype dtype, const Shape& shape, const P& sharding,
                const std::function<void(const Box& global, View shard)>& read);

  Plan plan_statement(const Statement& statement) const;

  /// Carries out a statement; `inputs` are those of the statement in order.
  Array run(const Statement& statement, const std::vector<const Array*>& inputs);

  NamedArrays run(const Program& program, const NamedArrays& inputs);

  /// Carries out a schedule that `build` makes when the cache has none under `key`.
  std::vector<Array> run(const std::string& key, const std::function<BuiltSchedule()>& build,
                         const std::vector<const Array*>& inputs);

  void reset();

  static const std::shared_ptr<WorldState>& of(const Array& array) { return array.data_->world; }

 private:
  struct Loaded {
    std::string key;
    BuiltSchedule built;
    std::unique_ptr<Session> session;
  };

  Loaded& load(const std::string& key, const std::function<BuiltSchedule()>& build);
  void write_inputs(Loaded& loaded, const std::vector<const Array*>& inputs);
  std::vector<Array> read_outputs(Loaded& loaded);

  Mesh mesh_;
  WorldOptions options_;
  Hardware hardware_;
  const Executor* executor_;
  std::list<Loaded> loaded_;  ///< most recently used first
  std::string poisoned_by_;   ///< the failure after which nothing runs until reset()
};

}  // namespace meshmul
