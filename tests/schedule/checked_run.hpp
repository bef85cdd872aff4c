#pragma once
// Runs a schedule on an executor with small whole numbers, and compares its outputs with what its statement
// asks for. Every sum is exact, so any order of additions gives the same numbers.

#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "execute/reference/reference_executor.hpp"
#include "meshmul/element.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/layout.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/view.hpp"

namespace meshmul::testing {

using Index = std::vector<std::int64_t>;

inline void for_each_index(const Box& box, const std::function<void(const Index&)>& visit) {
  if (box.empty()) return;
  Index index;
  for (const Interval& interval : box) index.push_back(interval.begin);
  for (int d = box.num_dims(); d >= 0;) {
    visit(index);
    for (d = box.num_dims() - 1; d >= 0; --d) {
      if (++index[static_cast<std::size_t>(d)] < box[d].end) break;
      index[static_cast<std::size_t>(d)] = box[d].begin;
    }
  }
}

/// The coordinates of `rank` along the unreduced axes, as one number: which term it holds.
inline int term_of(const ArrayType& type, const Mesh& mesh, int rank) {
  return mesh.group_index(rank, type.sharding.unreduced);
}

/// Term `term` of element `index` of input number `input`: from -1 to 2.
inline double term_value(std::size_t input, int term, const Index& index) {
  std::uint64_t hash = 1469598103934665603U;
  const auto mix = [&hash](std::uint64_t word) { hash = (hash ^ word) * 1099511628211U; };
  mix(input + 1);
  mix(static_cast<std::uint64_t>(term));
  for (const std::int64_t i : index) mix(static_cast<std::uint64_t>(i));
  return static_cast<double>((hash >> 40U) % 4U) - 1.0;
}

inline double total_value(const ArrayType& type, const Mesh& mesh, std::size_t input, const Index& index) {
  double total = 0;
  for (int term = 0; term < mesh.size(type.sharding.unreduced); ++term) total += term_value(input, term, index);
  return total;
}

/// The elements of a region of a session, as doubles.
class RegionElements {
 public:
  RegionElements(Session& session, const Schedule& schedule, const Region& region) {
    const BufferDecl& buffer = schedule.buffers[static_cast<std::size_t>(region.buffer)];
    view_ = view_of(session.buffer(region.rank, region.buffer).data(), buffer.dtype, buffer.shape, region.box);
  }

  /// `index` counts from the corner of the region.
  double get(const Index& index) const {
    return with_element_type(view_.dtype, [&]<class T>() { return to_double(at<T>(index)); });
  }
  void set(const Index& index, double value) {
    with_element_type(view_.dtype, [&]<class T>() { at<T>(index) = convert<T>(static_cast<float>(value)); });
  }

 private:
  template <class T>
  T& at(const Index& index) const {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * view_.strides[d];
    return reinterpret_cast<T*>(view_.data)[offset];
  }

  View view_;
};

inline Index relative(Index index, const Box& box) {
  for (std::size_t d = 0; d < index.size(); ++d) index[d] -= box[static_cast<int>(d)].begin;
  return index;
}

/// The element `index` of the output, from the totals of the inputs.
inline double expected_value(const Statement& statement, const Mesh& mesh, const Index& index) {
  const std::vector<const ArrayType*> arrays = inputs(statement);
  const ArrayType& out = output(statement);
  std::map<std::string, std::int64_t> position;
  for (std::size_t d = 0; d < index.size(); ++d) position[out.dims[d].index] = index[d];
  const auto index_of = [&](const ArrayType& type) {
    Index at;
    for (std::size_t d = 0; d < type.dims.size(); ++d)
      at.push_back(type.dims[d].index.empty() ? index[d] : position[type.dims[d].index]);
    return at;
  };
  const auto* product = std::get_if<Product>(&statement);
  if (product == nullptr) return total_value(*arrays[0], mesh, 0, index_of(*arrays[0]));
  Box contraction;
  const std::vector<std::string> contracted = index_roles(*product).contracted;
  for (const std::string& name : contracted)
    for (const Dim& dim : product->a.dims)
      if (dim.index == name) contraction.push_back({0, dim.size});
  double sum = 0;
  for_each_index(contraction, [&](const Index& at) {
    for (std::size_t i = 0; i < at.size(); ++i) position[contracted[i]] = at[i];
    sum +=
        total_value(product->a, mesh, 0, index_of(product->a)) * total_value(product->b, mesh, 1, index_of(product->b));
  });
  return sum;
}

/// Runs `schedule` twice on `executor`. Every rank must have the box that the output's sharding names (that of the
/// contract, where it is displaced), and the terms of each element must add up to what the statement says.
inline void expect_right_numbers_on(const Executor& executor, const Schedule& schedule, const ExecuteOptions& options) {
  const Contract& contract = schedule.contract;
  const Mesh& mesh = contract.mesh;
  const Statement& statement = single_statement(contract);
  const ArrayType& out = output(statement);
  const std::vector<const ArrayType*> arrays = inputs(statement);
  const auto session = executor.open(schedule, options);
  for (int run = 0; run < 2; ++run) {
    for (std::size_t i = 0; i < contract.inputs.size(); ++i) {
      const Holding& holding = contract.inputs[i];
      const std::size_t input = i / static_cast<std::size_t>(mesh.num_devices());  // holdings lie array after array
      RegionElements elements(*session, schedule, holding.region);
      const int term = term_of(*arrays[input], mesh, holding.region.rank);
      for_each_index(holding.global, [&](const Index& index) {
        elements.set(relative(index, holding.global), term_value(input, term, index));
      });
    }
    session->run();
    ASSERT_EQ(contract.outputs.size(), static_cast<std::size_t>(mesh.num_devices()));
    std::map<std::pair<int, Index>, double> sums;  // by first rank of the group that adds up, and index
    for (const Holding& holding : contract.outputs) {
      const bool is_own = contract.displaced || holding.global == local_box(out, mesh, holding.region.rank);
      ASSERT_TRUE(is_own) << "rank " << holding.region.rank;
      RegionElements elements(*session, schedule, holding.region);
      const int group = mesh.group(holding.region.rank, out.sharding.unreduced).front();
      for_each_index(holding.global, [&](const Index& index) {
        sums[{group, index}] += elements.get(relative(index, holding.global));
      });
    }
    for (const auto& [place, sum] : sums)
      ASSERT_EQ(sum, expected_value(statement, mesh, place.second))
          << "rank " << place.first << ", element " << ::testing::PrintToString(place.second);
  }
}

/// On the reference executor, in the order of events that `seed` gives.
inline void expect_right_numbers(const Schedule& schedule, std::uint64_t seed = 1) {
  ExecuteOptions options;
  options.seed = seed;
  options.poison = true;
  expect_right_numbers_on(ReferenceExecutor(), schedule, options);
}

}  // namespace meshmul::testing
