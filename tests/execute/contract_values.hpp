#pragma once
// Whole numbers for the inputs of a contract, and whether outputs hold what the statement makes of them. The numbers are
// small enough that every sum of the tests is exact in f32 and i32.

#include <cassert>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "execute/reference/memory.hpp"
#include "kernels/reference_products.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul::testing {

class ContractValues {
 public:
  explicit ContractValues(const Schedule& schedule) : schedule_(&schedule) {
    const Statement& statement = single_statement(schedule.contract);
    std::vector<HostArray> totals;
    for (const ArrayType* type : inputs(statement)) {
      terms_[type->name] = terms_of(*type);
      totals.push_back(total_of(*type));
    }
    expected_ = HostArray(Dtype::kF64, global_shape(output(statement)));
    compute(statement, totals);
  }

  void fill_inputs(Memory& memory) const {
    for (const Holding& holding : schedule_->contract.inputs) {
      const std::vector<HostArray>& terms = terms_.at(holding.array);
      const ArrayType& type = type_of(holding.array);
      const HostArray& term = terms[static_cast<std::size_t>(term_of(type, holding.region.rank))];
      meshmul::copy(memory.view(*schedule_, holding.region), term.view(holding.global), {});
    }
  }

  /// True if every output element is right; for an output with partial sums, if the sum over its ranks is.
  bool outputs_are_right(Memory& memory) const {
    const ArrayType& type = output(single_statement(schedule_->contract));
    std::map<int, HostArray> sums;  // by the first rank of those that add up, or of one rank
    for (const Holding& holding : schedule_->contract.outputs) {
      const int first = schedule_->contract.mesh.group(holding.region.rank, type.sharding.unreduced).front();
      HostArray& sum = sums.try_emplace(first, Dtype::kF64, expected_.shape()).first->second;
      meshmul::reduce(sum.view(holding.global), memory.view(*schedule_, holding.region), {});
    }
    for (const Holding& holding : schedule_->contract.outputs) {
      const int first = schedule_->contract.mesh.group(holding.region.rank, type.sharding.unreduced).front();
      if (part(sums.at(first), holding.global) != part(expected_, holding.global)) return false;
    }
    return true;
  }

 private:
  const ArrayType& type_of(const std::string& name) const {
    for (const ArrayType* type : inputs(single_statement(schedule_->contract)))
      if (type->name == name) return *type;
    assert(false);
    return output(single_statement(schedule_->contract));
  }

  /// Which term of an array with partial sums a rank holds.
  int term_of(const ArrayType& type, int rank) const {
    return schedule_->contract.mesh.group_index(rank, type.sharding.unreduced);
  }

  std::vector<HostArray> terms_of(const ArrayType& type) const {
    std::vector<HostArray> terms;
    for (std::int64_t term = 0; term < schedule_->contract.mesh.size(type.sharding.unreduced); ++term) {
      HostArray& values = terms.emplace_back(Dtype::kF64, global_shape(type));
      // Never zero, and different for neighbours, terms and arrays.
      for (std::int64_t i = 0; i < values.num_elements(); ++i)
        values.set(i, static_cast<double>((i * 29 + term * 41 + static_cast<int>(terms_.size()) * 53) % 97 + 1));
    }
    return terms;
  }

  HostArray total_of(const ArrayType& type) const {
    HostArray total(Dtype::kF64, global_shape(type));
    for (const HostArray& term : terms_.at(type.name)) meshmul::reduce(total.view(), term.view(), {});
    return total;
  }

  void compute(const Statement& statement, const std::vector<HostArray>& totals) {
    std::map<std::string, char> letters;
    const auto letters_of = [&](const ArrayType& type) {
      std::string text;
      for (const Dim& dim : type.dims)
        text += letters.try_emplace(dim.index, static_cast<char>('a' + letters.size())).first->second;
      return text;
    };
    const std::vector<const ArrayType*> arrays = inputs(statement);
    const std::string first = letters_of(*arrays[0]);
    if (const auto* product = std::get_if<Product>(&statement)) {
      const Einsum einsum{first, letters_of(product->b), letters_of(product->c)};
      ReferenceProducts().gemm(expected_.view(), totals[0].view(), totals[1].view(), einsum, false);
      return;
    }
    std::vector<int> permutation;
    for (const char letter : letters_of(output(statement))) permutation.push_back(static_cast<int>(first.find(letter)));
    meshmul::copy(expected_.view(), totals[0].view(), permutation);
  }

  static HostArray part(const HostArray& array, const Box& box) {
    HostArray result(array.dtype(), box.shape());
    meshmul::copy(result.view(), array.view(box), {});
    return result;
  }

  const Schedule* schedule_;
  std::map<std::string, std::vector<HostArray>> terms_;
  HostArray expected_;
};

}  // namespace meshmul::testing
