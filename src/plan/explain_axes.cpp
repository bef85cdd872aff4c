// What each mesh axis does in a plan, in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "notation/dim_of.hpp"
#include "plan/explain.hpp"

namespace meshmul {
namespace {

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

/// The index that `axis` cuts in `array`; null if it cuts none.
const std::string* index_cut_by(int axis, const ArrayType& array) {
  for (std::size_t d = 0; d < array.dims.size(); ++d)
    if (contains(array.sharding.dims[d], axis)) return &array.dims[d].index;
  return nullptr;
}

/// What the statement says about `axis`: the four cases of a sharded product.
std::string case_of(int axis, const Product& product) {
  const auto& [a, b, c] = product;
  const bool a_partial = contains(a.sharding.unreduced, axis);
  const bool b_partial = contains(b.sharding.unreduced, axis);
  if (a_partial && b_partial) return fmt::format("{} and {} are partial over it", a.name, b.name);
  if (a_partial || b_partial) return fmt::format("{} is partial over it", a_partial ? a.name : b.name);
  const std::string* in_a = index_cut_by(axis, a);
  const std::string* in_b = index_cut_by(axis, b);
  const auto contracted = [&](const std::string* index) { return index != nullptr && !has_index(c, *index); };
  if (in_a == nullptr && in_b == nullptr) return "idle, cuts neither input";
  if (in_a != nullptr && in_b != nullptr && *in_a == *in_b) {
    if (contracted(in_a)) return fmt::format("case 3, cuts the contracted {} of both inputs", *in_a);
    return fmt::format("case 1, cuts {} of both inputs", *in_a);
  }
  if (contracted(in_a) && contracted(in_b))
    return fmt::format("case 2, cuts the contracted {} of {} and {} of {}", *in_a, a.name, *in_b, b.name);
  if (contracted(in_a) || contracted(in_b)) {
    const bool first = contracted(in_a);
    const std::string* other = first ? in_b : in_a;
    std::string text =
        fmt::format("case 2, cuts the contracted {} of {} alone", first ? *in_a : *in_b, first ? a.name : b.name);
    if (other != nullptr) text += fmt::format(" and {} of {}", *other, first ? b.name : a.name);
    return text;
  }
  if (in_a != nullptr && in_b != nullptr)
    return fmt::format("case 4, cuts {} of {} and {} of {}", *in_a, a.name, *in_b, b.name);
  return fmt::format("case 1, cuts {} of {} alone", in_a != nullptr ? *in_a : *in_b, in_a != nullptr ? a.name : b.name);
}

/// What `axis` does in the local product.
std::string role_of(int axis, const LocalProduct& product) {
  const auto& [a, b, c, cost] = product;
  const std::string* cut = index_cut_by(axis, a);
  if (cut == nullptr) cut = index_cut_by(axis, b);
  if (cut != nullptr)
    return has_index(c, *cut) ? fmt::format("the product is cut along {}", *cut)
                              : fmt::format("the product is cut along {}, which leaves partial sums", *cut);
  if (contains(c.sharding.unreduced, axis)) return "partial sums pass through the product";
  return "its devices repeat the work";
}

/// The moves that `axis` takes part in: `AllGather of B, ReduceScatter of C`.
std::string moves_along(int axis, const std::vector<Step>& steps) {
  std::vector<std::string> moves;
  for (const Step& step : steps)
    if (const auto* move = std::get_if<Move>(&step); move != nullptr && contains(move->axes, axis))
      moves.push_back(fmt::format("{} of {}", name(move->kind), move->from.name));
  return moves.empty() ? "no moves" : fmt::format("{}", fmt::join(moves, ", "));
}

}  // namespace

std::vector<std::string> explain_axes(const Plan& plan) {
  std::vector<std::string> sentences;
  for (int axis = 0; axis < plan.mesh.num_axes(); ++axis) {
    std::vector<std::string> clauses;
    if (plan.mesh.size(axis) == 1) {
      clauses.emplace_back("has one device, cuts nothing");
    } else {
      if (const auto* product = std::get_if<Product>(&plan.statement)) clauses.push_back(case_of(axis, *product));
      clauses.push_back(moves_along(axis, plan.steps));
      for (const Step& step : plan.steps)
        if (const auto* product = std::get_if<LocalProduct>(&step)) clauses.push_back(role_of(axis, *product));
    }
    sentences.push_back(fmt::format("{}: {}", plan.mesh.name(axis), fmt::join(clauses, "; ")));
  }
  return sentences;
}

}  // namespace meshmul
