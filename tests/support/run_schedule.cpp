#include "support/run_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "execute/session_view.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/host_array.hpp"

namespace meshmul::testing {
namespace {

/// Calls `visit` with the global row-major position of each element of `box`, in row-major order of the box.
void for_each_position(const Box& box, const Shape& shape, const auto& visit) {
  const std::int64_t elements = box.num_elements();
  for (std::int64_t i = 0; i < elements; ++i) {
    std::int64_t rest = i;
    std::int64_t linear = 0;
    std::int64_t stride = 1;
    for (int d = box.num_dims() - 1; d >= 0; --d) {
      linear += (box[d].begin + rest % box[d].size()) * stride;
      rest /= box[d].size();
      stride *= shape[static_cast<std::size_t>(d)];
    }
    visit(i, linear);
  }
}

void write_inputs(Session& session, const Schedule& schedule, std::uint64_t seed) {
  const Mesh& mesh = schedule.contract.mesh;
  const std::vector<const ArrayType*> types = inputs(single_statement(schedule.contract));
  for (const Holding& holding : schedule.contract.inputs) {
    const auto found =
        std::find_if(types.begin(), types.end(), [&](const ArrayType* type) { return type->name == holding.array; });
    const auto number = static_cast<int>(found - types.begin());
    HostArray shard((*found)->dtype, holding.global.shape());
    const int term = mesh.group_index(holding.region.rank, (*found)->sharding.unreduced);
    for_each_position(holding.global, global_shape(**found), [&](std::int64_t i, std::int64_t linear) {
      shard.set(i, static_cast<double>(input_value(seed, number, term, linear)));
    });
    copy(view_of(session, schedule, holding.region), shard.view(), {});
  }
}

HostArray read(Session& session, const Schedule& schedule, const Holding& holding) {
  const BufferDecl& buffer = schedule.buffers[static_cast<std::size_t>(holding.region.buffer)];
  HostArray shard(buffer.dtype, holding.global.shape());
  copy(shard.view(), view_of(session, schedule, holding.region), {});
  return shard;
}

}  // namespace

std::int64_t input_value(std::uint64_t seed, int input, std::int64_t term, std::int64_t linear) {
  std::uint64_t mixed = seed * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(input) * 0xBF58476D1CE4E5B9U +
                        static_cast<std::uint64_t>(term) * 0x94D049BB133111EBU + static_cast<std::uint64_t>(linear);
  mixed = (mixed ^ (mixed >> 31U)) * 0xD6E8FEB86659FD93U;
  mixed ^= mixed >> 32U;
  return static_cast<std::int64_t>(mixed % 3) - 1;
}

std::vector<Integers> complete_inputs(const Statement& statement, const Mesh& mesh, std::uint64_t seed) {
  std::vector<Integers> complete;
  for (const ArrayType* type : inputs(statement)) {
    Integers array{global_shape(*type), {}};
    const std::int64_t elements = Box::whole(array.shape).num_elements();
    for (std::int64_t i = 0; i < elements; ++i) {
      std::int64_t sum = 0;
      for (std::int64_t term = 0; term < mesh.size(type->sharding.unreduced); ++term)
        sum += input_value(seed, static_cast<int>(complete.size()), term, i);
      array.values.push_back(sum);
    }
    complete.push_back(std::move(array));
  }
  return complete;
}

std::string run_and_compare(Session& session, const Schedule& schedule, std::uint64_t seed) {
  const Mesh& mesh = schedule.contract.mesh;
  const Statement& statement = single_statement(schedule.contract);
  const ArrayType& type = output(statement);
  write_inputs(session, schedule, seed);
  session.run();
  const Integers expected = plain_einsum(statement, complete_inputs(statement, mesh, seed));

  // The sum over the unreduced axes; ranks that differ along other axes form groups of their own.
  std::map<int, std::vector<double>> sums;
  std::map<int, std::vector<bool>> held;
  for (const Holding& holding : schedule.contract.outputs) {
    const int rank = holding.region.rank;
    const HostArray shard = read(session, schedule, holding);
    int group = rank;
    for (const int axis : type.sharding.unreduced) group = mesh.with_coordinate(group, axis, 0);
    std::vector<double>& sum = sums[group];
    std::vector<bool>& has = held[group];
    sum.resize(expected.values.size());
    has.resize(expected.values.size());
    for_each_position(holding.global, expected.shape, [&](std::int64_t i, std::int64_t linear) {
      sum[static_cast<std::size_t>(linear)] += shard[i];
      has[static_cast<std::size_t>(linear)] = true;
    });
  }
  for (const auto& [group, sum] : sums)
    for (std::size_t i = 0; i < sum.size(); ++i)
      if (held[group][i] && !(sum[i] == static_cast<double>(expected.values[i])))
        return fmt::format("rank {}: element {} of {} is {}, expected {}", group, i, to_string(type, mesh), sum[i],
                           expected.values[i]);
  return {};
}

}  // namespace meshmul::testing
