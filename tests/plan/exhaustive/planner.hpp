#pragma once
// A planner that shares neither moves, costs nor search with src/plan: it tries every compute layout with every chain of
// moves around it. For meshes of up to three axes, all longer than 1.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/statement.hpp"
#include "plan/exhaustive/chains.hpp"

namespace meshmul::testing {

/// Plans statements over the same arrays under any shardings; what is known of chains of moves is kept.
class Exhaustive {
 public:
  /// `last_dims` is the order in which the last move writes c, where it is another.
  Exhaustive(const Product& product, Mesh mesh, Prices prices, Dtype wire_dtype, std::vector<Dim> last_dims = {})
      : product_(product),
        mesh_(std::move(mesh)),
        prices_(std::move(prices)),
        wire_dtype_(wire_dtype),
        last_dims_(std::move(last_dims)),
        a_(product.a, {product.a.dtype, {}}, mesh_, prices_),
        b_(product.b, {product.b.dtype, {}}, mesh_, prices_),
        c_(output_chains()) {}

  void reshard(const Sharding& a, const Sharding& b, const Sharding& c) {
    product_.a.sharding = a;
    product_.b.sharding = b;
    const bool keeps_others = product_.c.sharding.unreduced != c.unreduced;
    product_.c.sharding = c;
    if (keeps_others) c_.emplace(*output_chains());
  }

  /// All ways to do the product that nothing beats. Arrays with `?` lie where that is best.
  Front ways() const {
    const Chains::Fronts& a = a_.from(places(product_.a, a_));
    const Chains::Fronts& b = b_.from(places(product_.b, b_));
    Front all;
    for_each_layout([&](const Sharding& in_a, const Sharding& in_b, const Sharding& out_c, double product_seconds) {
      const Cost product{0, product_seconds, c_->bytes(out_c)};
      for (const Cost& x : at(a, a_, in_a))
        for (const Cost& y : at(b, b_, in_b))
          for (const Cost& z : to_output(out_c)) add(all, x + y + product + z);
    });
    return all;
  }

  /// All ways to apply a function elementwise to a, or to a and b. c has all the indices. Partial sums are completed
  /// before; so is c.
  Front elementwise(bool has_b) const {
    const Chains::Fronts& a = a_.from(places(product_.a, a_));
    const Chains::Fronts& b = b_.from(places(product_.b, b_));
    Front all;
    for (const int number : c_->all().complete()) {
      const Sharding& layout = c_->all().shardings()[static_cast<std::size_t>(number)];
      const auto alike = [&](const ArrayType& array) { return cut_alike(array, product_.c.dims, layout); };
      double bytes = a_.bytes(alike(product_.a)) + c_->bytes(layout);
      if (has_b) bytes += b_.bytes(alike(product_.b));
      const Cost function{0, prices_.memory_seconds(bytes), c_->bytes(layout)};
      for (const Cost& x : at(a, a_, alike(product_.a)))
        for (const Cost& y : has_b ? at(b, b_, alike(product_.b)) : Front{{}})
          for (const Cost& z : to_output(layout)) add(all, x + y + function + z);
    }
    return all;
  }

  /// All chains of moves that lead from one of `starts` to c, the same array. Where nothing moves, c is a copy.
  Front change(const std::vector<Sharding>& starts) const {
    const std::vector<int> targets = places(product_.c, *c_);
    Front all;
    for (const Sharding& start : starts) {
      const Cost before{0, 0, c_->bytes(start)};
      if (std::count(targets.begin(), targets.end(), c_->all().number(start)) > 0) add(all, before + before);
      for (const Cost& chain : at(c_->to(targets), *c_, start)) add(all, before + chain);
    }
    return all;
  }

  const Chains& output() const { return *c_; }

 private:
  static const Front& at(const Chains::Fronts& fronts, const Chains& chains, const Sharding& sharding) {
    return fronts[static_cast<std::size_t>(chains.all().number(sharding))];
  }

  static std::vector<int> places(const ArrayType& array, const Chains& chains) {
    return array.open ? chains.all().complete() : std::vector{chains.all().number(array.sharding)};
  }

  /// From where the work has made c in `sharding`.
  Front to_output(const Sharding& sharding) const {
    const std::vector<int> targets = places(product_.c, *c_);
    Front chains = at(c_->to(targets), *c_, sharding);
    if (std::count(targets.begin(), targets.end(), c_->all().number(sharding)) > 0) add(chains, {});
    return chains;
  }

  std::optional<Chains> output_chains() const {
    return Chains(product_.c, {wire_dtype_, product_.c.sharding.unreduced, last_dims_}, mesh_, prices_);
  }

  static bool has(const ArrayType& array, const Dim& dim) {
    return std::any_of(array.dims.begin(), array.dims.end(), [&](const Dim& d) { return d.index == dim.index; });
  }

  /// The dimensions of `array` cut as those of `layout`, which are `dims`.
  static Sharding cut_alike(const ArrayType& array, const std::vector<Dim>& dims, const Sharding& layout) {
    Sharding sharding;
    for (const Dim& dim : array.dims)
      for (std::size_t d = 0; d < dims.size(); ++d)
        if (dims[d].index == dim.index) sharding.dims.push_back(layout.dims[d]);
    return sharding;
  }

  /// Every index of A and B, once.
  std::vector<Dim> dims() const {
    std::vector<Dim> dims = product_.a.dims;
    for (const Dim& dim : product_.b.dims)
      if (!has(product_.a, dim)) dims.push_back(dim);
    return dims;
  }

  /// Calls `f` with the shardings that A and B have in the product, what C has after it, and its time.
  template <class F>
  void for_each_layout(F&& f) const {
    const std::vector<Dim> dims = this->dims();
    const PossibleMoves& all = PossibleMoves::of(static_cast<int>(dims.size()), mesh_.num_axes());
    for (const int number : all.complete()) {
      const Sharding& layout = all.shardings()[static_cast<std::size_t>(number)];
      std::vector<int> summed;
      for (std::size_t d = 0; d < dims.size(); ++d)
        if (!has(product_.c, dims[d])) summed.insert(summed.end(), layout.dims[d].begin(), layout.dims[d].end());
      for (const auto& through_a : PossibleMoves::subsets(all.unused(layout)))
        for (const auto& through_b : PossibleMoves::subsets(all.unused(layout))) {
          std::vector<int> both;
          std::set_intersection(through_a.begin(), through_a.end(), through_b.begin(), through_b.end(),
                                std::back_inserter(both));
          if (!both.empty()) continue;
          Sharding in_a = cut_alike(product_.a, dims, layout);
          Sharding in_b = cut_alike(product_.b, dims, layout);
          Sharding out_c = cut_alike(product_.c, dims, layout);
          in_a.unreduced = through_a;
          in_b.unreduced = through_b;
          for (const std::vector<int>* axes : {&std::as_const(summed), &through_a, &through_b})
            out_c.unreduced.insert(out_c.unreduced.end(), axes->begin(), axes->end());
          std::sort(out_c.unreduced.begin(), out_c.unreduced.end());
          f(in_a, in_b, out_c, product_seconds(dims, layout, in_a, in_b, out_c));
        }
    }
  }

  double product_seconds(const std::vector<Dim>& dims, const Sharding& layout, const Sharding& in_a,
                         const Sharding& in_b, const Sharding& out_c) const {
    double batch = 1, m = 1, n = 1, k = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::int64_t parts = mesh_.size(layout.dims[d]);
      const bool in_both = has(product_.a, dims[d]) && has(product_.b, dims[d]);
      double& kind = in_both ? (has(product_.c, dims[d]) ? batch : k) : (has(product_.a, dims[d]) ? m : n);
      kind *= static_cast<double>((dims[d].size + parts - 1) / parts);
    }
    const double bytes = a_.bytes(in_a) + b_.bytes(in_b) + c_->bytes(out_c);
    return prices_.product_seconds(product_.a.dtype, batch, m, n, k, bytes);
  }

  Product product_;
  Mesh mesh_;
  Prices prices_;
  Dtype wire_dtype_;
  std::vector<Dim> last_dims_;
  Chains a_, b_;
  std::optional<Chains> c_;
};

}  // namespace meshmul::testing
