// Checks that the holdings of a contract cover exactly the shards that the statements say.

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "contract.hpp"
#include "meshmul/layout.hpp"
#include "rules.hpp"
#include "words.hpp"

namespace meshmul::verification {
namespace {

using NamedArrays = std::unordered_map<std::string, NamedArray>;

class HoldingChecker {
 public:
  HoldingChecker(const Schedule& schedule, std::vector<Finding>& findings)
      : schedule_(schedule), findings_(findings), ranks_(schedule.ranks.size()) {}

  /// `side` is `input` or `output`; `required` are the arrays that must be held.
  void check(std::string_view side, const std::vector<Holding>& holdings, const NamedArrays& arrays,
             const std::vector<std::string>& required) {
    side_ = side;
    const std::size_t before = findings_.size();
    std::map<std::string_view, std::vector<std::vector<const Holding*>>> held;  // by array and rank
    for (const std::string& array : required) held[array].resize(ranks_);
    for (const Holding& holding : holdings) {
      const auto array = arrays.find(holding.array);
      if (array == arrays.end()) {
        fault("{} {} is not an {} of the statements", side, holding.array, side);
      } else if (is_possible(holding, *array->second.type)) {
        auto& by_rank = held[array->first];
        by_rank.resize(ranks_);
        by_rank[static_cast<std::size_t>(holding.region.rank)].push_back(&holding);
      }
    }
    if (findings_.size() != before) return;  // what is missing may only be spelt wrong
    if (side == "output" && schedule_.contract.displaced) {
      for (const auto& [name, by_rank] : held) check_displaced(*arrays.at(std::string(name)).type, by_rank);
      return;
    }
    for (const auto& [name, by_rank] : held)
      for (std::size_t rank = 0; rank < ranks_; ++rank)
        check_shard(*arrays.at(std::string(name)).type, static_cast<int>(rank), by_rank[rank]);
  }

 private:
  template <class... Args>
  void fault(fmt::format_string<Args...> format, Args&&... args) {
    findings_.push_back({Rule::kWellFormed, std::nullopt, fmt::format(format, std::forward<Args>(args)...)});
  }

  std::string text(const Region& region) const { return to_string(schedule_, region.rank, region); }

  bool is_possible(const Holding& holding, const ArrayType& type) {
    const std::size_t before = findings_.size();
    const Region& region = holding.region;
    const std::string what = fmt::format("{} {} of rank {}", side_, holding.array, region.rank);
    if (region.rank < 0 || static_cast<std::size_t>(region.rank) >= ranks_) {
      fault("{}: there are ranks 0 to {}", what, ranks_ - 1);
      return false;
    }
    if (region.buffer < 0 || region.buffer >= static_cast<int>(schedule_.buffers.size())) {
      fault("{}: there is no buffer number {}", what, region.buffer);
      return false;
    }
    const BufferDecl& buffer = schedule_.buffers[static_cast<std::size_t>(region.buffer)];
    if (holding.global.num_dims() != type.num_dims())
      fault("{}: {} has {}; the array has {}", what, holding.global.str(),
            counted(holding.global.num_dims(), "dimension"), type.num_dims());
    else if (holding.global.shape() != region.box.shape())
      fault("{}: {} and {} have different extents", what, holding.global.str(), text(region));
    else if (region.box.num_dims() != static_cast<int>(buffer.shape.size()) ||
             !Box::whole(buffer.shape).contains(region.box))
      fault("{}: {} is not inside of buffer {}, whose shape is {}", what, text(region), buffer.name,
            shape_text(buffer.shape));
    if (buffer.dtype != type.dtype)
      fault("{}: buffer {} is {}; the array is {}", what, buffer.name, name(buffer.dtype), name(type.dtype));
    return findings_.size() == before;
  }

  void check_shard(const ArrayType& type, int rank, const std::vector<const Holding*>& holdings) {
    const Box shard = local_box(type, schedule_.contract.mesh, rank);
    std::vector<Box> missing;
    if (!shard.empty()) missing.push_back(shard);
    for (std::size_t i = 0; i < holdings.size(); ++i) {
      const Box& global = holdings[i]->global;
      if (!shard.contains(global))
        fault("{} {} of rank {}: {} is not inside of its shard {}", side_, type.name, rank, global.str(), shard.str());
      for (std::size_t j = 0; j < i; ++j)
        if (overlap(global, holdings[j]->global))
          fault("{} {} of rank {}: {} is held twice", side_, type.name, rank,
                intersect(global, holdings[j]->global).str());
      std::vector<Box> rest;
      for (const Box& box : missing)
        for (const Box& part : subtract(box, global)) rest.push_back(part);
      missing = std::move(rest);
    }
    for (const Box& box : missing)
      fault("{} {} of rank {}: {} of its shard {} is held nowhere", side_, type.name, rank, box.str(), shard.str());
  }

  // Every rank holds the shard of some rank in one piece, and every shard is held by as many ranks as the sharding says.
  void check_displaced(const ArrayType& type, const std::vector<std::vector<const Holding*>>& by_rank) {
    if (!type.sharding.unreduced.empty())
      return fault("{} {} is displaced and holds partial sums; only complete arrays can be displaced", side_,
                   type.name);
    std::map<std::string, int> surplus;  // by box: ranks that hold it, less ranks whose shard it is
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      if (by_rank[rank].size() > 1)
        return fault("{} {} of rank {} is displaced and held in {} pieces; expected one", side_, type.name, rank,
                     by_rank[rank].size());
      for (const Holding* holding : by_rank[rank])
        if (!holding->global.empty()) ++surplus[holding->global.str()];
      const Box shard = local_box(type, schedule_.contract.mesh, static_cast<int>(rank));
      if (!shard.empty()) --surplus[shard.str()];
    }
    for (const auto& [box, count] : surplus)
      if (count != 0)
        fault("{} {} is displaced: {} is held by {} ranks {} than the sharding gives it to", side_, type.name, box,
              count > 0 ? count : -count, count > 0 ? "more" : "fewer");
  }

  const Schedule& schedule_;
  std::vector<Finding>& findings_;
  std::size_t ranks_;
  std::string_view side_;
};

// The host writes all inputs before a run, in no given order.
void check_inputs_apart(const Schedule& schedule, std::vector<Finding>& findings) {
  std::vector<std::vector<const Holding*>> by_buffer(schedule.ranks.size() * schedule.buffers.size());
  for (const Holding& holding : schedule.contract.inputs) {
    auto& others = by_buffer[static_cast<std::size_t>(holding.region.rank) * schedule.buffers.size() +
                             static_cast<std::size_t>(holding.region.buffer)];
    for (const Holding* other : others)
      if (overlap(other->region.box, holding.region.box))
        findings.push_back(
            {Rule::kWellFormed, std::nullopt,
             fmt::format("inputs {} and {} of rank {} share {}", other->array, holding.array, holding.region.rank,
                         to_string(schedule, holding.region.rank, holding.region))});
    others.push_back(&holding);
  }
}

}  // namespace

std::vector<Finding> check_holdings(const Schedule& schedule) {
  std::vector<Finding> findings;
  const ResolvedContract contract = resolve_contract(schedule.contract, findings);
  if (!findings.empty()) return findings;
  std::vector<std::string> required_inputs;
  for (const auto& [name, array] : contract.inputs) required_inputs.push_back(name);
  HoldingChecker checker(schedule, findings);
  checker.check("input", schedule.contract.inputs, contract.inputs, required_inputs);
  checker.check("output", schedule.contract.outputs, contract.outputs, contract.required_outputs);
  if (findings.empty()) check_inputs_apart(schedule, findings);
  return findings;
}

}  // namespace meshmul::verification
