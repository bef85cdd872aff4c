#include "support/run_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "execute/session_view.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/host_array.hpp"
#include "support/plain_program.hpp"
#include "support/run_schedule.hpp"

namespace meshmul::testing {
namespace {

/// The value with all partial terms added.
Integers complete_value(const ArrayType& type, int number, const Mesh& mesh, std::uint64_t seed) {
  Integers array{global_shape(type), {}};
  for (std::int64_t i = 0; i < Box::whole(array.shape).num_elements(); ++i) {
    std::int64_t sum = 0;
    for (std::int64_t term = 0; term < mesh.size(type.sharding.unreduced); ++term)
      sum += input_value(seed, number, term, i);
    array.values.push_back(sum);
  }
  return array;
}

const ProgramArray& find(const std::vector<ProgramArray>& arrays, const std::string& name) {
  return *std::find_if(arrays.begin(), arrays.end(), [&](const ProgramArray& array) { return array.name == name; });
}

/// Term `term` of the whole array of which `array` is a slice, perhaps.
HostArray term_of(const ProgramArray& array, const Program& program, std::int64_t term, std::uint64_t seed) {
  const ArrayType type = type_of(program, {array.value, array.slice.has_value()});
  HostArray whole(type.dtype, global_shape(type));
  const std::int64_t first = array.slice.value_or(0) * whole.num_elements();
  for (std::int64_t i = 0; i < whole.num_elements(); ++i)
    whole.set(i, static_cast<double>(input_value(seed, array.value, term, first + i)));
  return whole;
}

class ProgramCheck {
 public:
  ProgramCheck(Session& session, const Schedule& schedule, const ProgramPlan& plan, std::uint64_t seed)
      : session_(session),
        schedule_(schedule),
        program_(plan.best.program),
        mesh_(plan.mesh),
        arrays_(contract_arrays(plan)),
        seed_(seed) {}

  void write_inputs() {
    for (const Holding& holding : schedule_.contract.inputs) {
      const ProgramArray& array = find(arrays_.inputs, holding.array);
      const int term = mesh_.group_index(holding.region.rank, type(array).sharding.unreduced);
      const HostArray whole = term_of(array, program_, term, seed_);
      meshmul::copy(view_of(session_, schedule_, holding.region), whole.view(holding.global), {});
    }
  }

  std::string compare() {
    std::map<ValueId, Integers> given;
    for (const ValueId id : inputs(program_)) given[id] = complete_value(program_.value(id).type, id, mesh_, seed_);
    const std::vector<Integers> expected = plain_outputs(program_, given);
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (std::string difference = compare(arrays_.outputs[i], expected[i]); !difference.empty()) return difference;
    return {};
  }

 private:
  const ArrayType& type(const ProgramArray& array) const { return program_.value(array.value).type; }

  // Ranks whose terms are added together form a group.
  std::string compare(const ProgramArray& array, const Integers& expected) {
    std::map<int, HostArray> sums;
    std::map<int, HostArray> counts;
    for (const Holding& holding : schedule_.contract.outputs) {
      if (holding.array != array.name) continue;
      const int group = mesh_.group(holding.region.rank, type(array).sharding.unreduced).front();
      HostArray& sum = sums.try_emplace(group, type(array).dtype, expected.shape).first->second;
      meshmul::reduce(sum.view(holding.global), view_of(session_, schedule_, holding.region), {});
      HostArray one(Dtype::kI32, holding.global.shape());
      for (std::int64_t e = 0; e < one.num_elements(); ++e) one.set(e, 1);
      HostArray& count = counts.try_emplace(group, Dtype::kI32, expected.shape).first->second;
      meshmul::copy(count.view(holding.global), static_cast<const HostArray&>(one).view(), {});
    }
    for (const auto& [group, sum] : sums)
      for (std::int64_t i = 0; i < sum.num_elements(); ++i)
        if (const auto wanted = static_cast<double>(expected.values[static_cast<std::size_t>(i)]);
            counts.at(group)[i] != 0 && !(sum[i] == wanted))
          return fmt::format("rank {}: element {} of {} is {}, expected {}", group, i, array.name, sum[i], wanted);
    return {};
  }

  Session& session_;
  const Schedule& schedule_;
  const Program& program_;
  const Mesh& mesh_;
  const ProgramArrays arrays_;
  const std::uint64_t seed_;
};

}  // namespace

std::string run_and_compare(Session& session, const Schedule& schedule, const ProgramPlan& plan, std::uint64_t seed) {
  ProgramCheck check(session, schedule, plan, seed);
  check.write_inputs();
  session.run();
  return check.compare();
}

}  // namespace meshmul::testing
