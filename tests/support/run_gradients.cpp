#include "support/run_gradients.hpp"

#include <algorithm>

#include "execute/session_view.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/lower_program.hpp"

namespace meshmul::testing {
namespace {

const ProgramArray& find(const std::vector<ProgramArray>& arrays, const std::string& name) {
  return *std::find_if(arrays.begin(), arrays.end(), [&](const ProgramArray& array) { return array.name == name; });
}

class Runner {
 public:
  Runner(Session& session, const Schedule& schedule, const ProgramPlan& plan)
      : session_(session),
        schedule_(schedule),
        program_(plan.best.program),
        mesh_(plan.mesh),
        arrays_(contract_arrays(plan)) {}

  void write(const std::map<std::string, Reals>& given) {
    for (const Holding& holding : schedule_.contract.inputs) {
      const ProgramArray& array = find(arrays_.inputs, holding.array);
      const ArrayType& type = program_.value(array.value).type;
      HostArray slice = empty(array);
      // The first of the ranks that hold terms of one sum has all of it.
      if (mesh_.group_index(holding.region.rank, type.sharding.unreduced) == 0)
        for (std::int64_t i = 0; i < slice.num_elements(); ++i)
          slice.set(i, given.at(type.name).values[static_cast<std::size_t>(first_of(array, slice) + i)]);
      const HostArray& whole = slice;
      meshmul::copy(view_of(session_, schedule_, holding.region), whole.view(holding.global), {});
    }
  }

  std::vector<Reals> read() {
    std::vector<Reals> results;
    auto array = arrays_.outputs.begin();
    for (const ValueId id : outputs(program_)) {
      const Shape shape = global_shape(program_.value(id).type);
      Reals& result = results.emplace_back(Reals{shape, {}});
      result.values.resize(static_cast<std::size_t>(Box::whole(shape).num_elements()));
      const std::int64_t num_arrays = array->slice ? shape.front() : 1;
      for (const auto end = array + num_arrays; array != end; ++array) {
        const HostArray slice = sum_of(*array);
        for (std::int64_t i = 0; i < slice.num_elements(); ++i)
          result.values[static_cast<std::size_t>(first_of(*array, slice) + i)] = slice[i];
      }
    }
    return results;
  }

 private:
  HostArray empty(const ProgramArray& array) const {
    const ArrayType type = type_of(program_, {array.value, array.slice.has_value()});
    return HostArray(type.dtype, global_shape(type));
  }

  static std::int64_t first_of(const ProgramArray& array, const HostArray& slice) {
    return array.slice.value_or(0) * slice.num_elements();
  }

  /// Of groups of ranks whose terms are added and that hold the same box, the first is read.
  HostArray sum_of(const ProgramArray& array) {
    const std::vector<int>& unreduced = program_.value(array.value).type.sharding.unreduced;
    HostArray sum = empty(array);
    std::vector<Box> seen;
    std::vector<int> readers;  // the first ranks of groups that are read
    for (const Holding& holding : schedule_.contract.outputs) {
      if (holding.array != array.name) continue;
      const int first = mesh_.group(holding.region.rank, unreduced).front();
      if (holding.region.rank == first) {
        if (std::find(seen.begin(), seen.end(), holding.global) != seen.end()) continue;
        seen.push_back(holding.global);
        readers.push_back(first);
      }
      if (std::find(readers.begin(), readers.end(), first) == readers.end()) continue;
      meshmul::reduce(sum.view(holding.global), view_of(session_, schedule_, holding.region), {});
    }
    return sum;
  }

  Session& session_;
  const Schedule& schedule_;
  const Program& program_;
  const Mesh& mesh_;
  const ProgramArrays arrays_;
};

}  // namespace

std::vector<Reals> run_on(Session& session, const Schedule& schedule, const ProgramPlan& plan,
                          const std::map<std::string, Reals>& given) {
  Runner runner(session, schedule, plan);
  runner.write(given);
  session.run();
  return runner.read();
}

}  // namespace meshmul::testing
