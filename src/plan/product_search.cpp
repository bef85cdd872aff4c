// The search of a product: per array a table of cheapest paths, then every compute layout with every choice of paths.
#include "plan/layouts.hpp"
#include "plan/memory.hpp"
#include "plan/paths.hpp"
#include "plan/search.hpp"

namespace meshmul {
namespace {

/// A layout, and the paths that bring A and B into it and C out of it.
struct ProductWay {
  Price price;
  const ComputeLayout* layout = nullptr;
  int a_path = 0, b_path = 0, c_path = 0;
};

/// The wire dtype is that of the output unless somebody asks for another.
ElementType output_type(const ArrayType& c, AxisSet kept_unreduced, const SearchOptions& options) {
  return {options.wire_dtype.value_or(c.dtype), c.dtype, kept_unreduced};
}

AxisSet unreduced_axes(const ArrayType& array, const AxisNumbering& axes) {
  return axes.pack(array.sharding).unreduced;
}

class ProductSearch {
 public:
  ProductSearch(const Product& product, const Mesh& mesh, const Hardware& hardware, const SearchOptions& options)
      : product_(product),
        options_(options),
        axes_(mesh),
        cost_(axes_, hardware),
        flops_per_second_(flops_per_second(hardware, product.a.dtype)),
        indices_(product),
        a_unreduced_(unreduced_axes(product.a, axes_)),
        b_unreduced_(unreduced_axes(product.b, axes_)),
        a_(product.a, {product.a.dtype, product.a.dtype, a_unreduced_}, a_unreduced_, axes_, cost_),
        b_(product.b, {product.b.dtype, product.b.dtype, b_unreduced_}, b_unreduced_, axes_, cost_),
        c_(product.c, output_type(product.c, unreduced_axes(product.c, axes_), options), possible_partial_axes(), axes_,
           cost_),
        a_paths_(a_, Direction::kFromAnchors, input_anchors(product.a, a_, axes_)),
        b_paths_(b_, Direction::kFromAnchors, input_anchors(product.b, b_, axes_)),
        c_paths_(c_, Direction::kToAnchors, output_anchors(product.c, c_, axes_)) {
    for (const std::int64_t size : indices_.sizes) extents_.emplace_back(size, axes_);
  }

  SearchResult run() const {
    const std::vector<ComputeLayout> layouts = compute_layouts(indices_, axes_.all(), a_unreduced_, b_unreduced_);
    Ranking<ProductWay> ranking(options_.max_rejected + 1, options_.memory_limit, options_.overlapped);
    for (const ComputeLayout& layout : layouts) add_ways(layout, ranking);
    SearchResult result;
    result.least_memory_bytes = ranking.least_memory_bytes();
    if (!ranking.fitting().empty()) result.best = written_out(ranking.fitting().front());
    for (const ProductWay& way : ranking.rejected()) {
      if (result.rejected.size() == options_.max_rejected) break;
      result.rejected.push_back(written_out(way));
    }
    return result;
  }

 private:
  /// Axes over which C can be partial at some moment.
  AxisSet possible_partial_axes() const {
    unsigned axes = a_unreduced_ | b_unreduced_ | unreduced_axes(product_.c, axes_);
    for (const bool contracted : indices_.contracted)
      if (contracted) axes |= axes_.all();
    return static_cast<AxisSet>(axes);
  }

  StepCost local_product_cost(const ComputeLayout& layout) const {
    double multiplications = 1;
    for (std::size_t index = 0; index < extents_.size(); ++index)
      multiplications *= extents_[index][layout.indices.cut[index]];
    const double memory_bytes = a_.bytes(a_.find(layout.a)) + b_.bytes(b_.find(layout.b)) + c_.bytes(c_.find(layout.c));
    return cost_.product(flops_per_second_, 2 * multiplications, memory_bytes);
  }

  void add_ways(const ComputeLayout& layout, Ranking<ProductWay>& ranking) const {
    const double product_seconds = local_product_cost(layout).seconds;
    const int c_state = c_.find(layout.c);
    for (const int a : a_paths_.paths_of(a_.find(layout.a)))
      for (const int b : b_paths_.paths_of(b_.find(layout.b)))
        for (const int c : c_paths_.paths_of(c_state)) {
          ProductWay way{{}, &layout, a, b, c};
          way.price.product_seconds = product_seconds;
          way.price.memory_bytes = c_.bytes(c_state);
          for (const Path* path : {&a_paths_.path(a), &b_paths_.path(b), &c_paths_.path(c)}) {
            way.price.move_seconds += path->seconds;
            way.price.sent_bytes += path->sent_bytes;
            way.price.memory_bytes += path->memory_bytes;
            way.price.num_moves += path->num_moves;
          }
          ranking.add(way);
        }
  }

  PricedSteps written_out(const ProductWay& way) const {
    PricedSteps result{way.price, {}};
    a_.append_moves(result.steps, Operand::kA, a_paths_.states_along(way.a_path));
    b_.append_moves(result.steps, Operand::kB, b_paths_.states_along(way.b_path));
    const ComputeLayout& layout = *way.layout;
    result.steps.emplace_back(LocalProduct{a_.type(a_.find(layout.a)), b_.type(b_.find(layout.b)),
                                           c_.type(c_.find(layout.c)), local_product_cost(layout)});
    c_.append_moves(result.steps, Operand::kC, c_paths_.states_along(way.c_path));
    return result;
  }

  const Product& product_;
  const SearchOptions& options_;
  AxisNumbering axes_;
  CostModel cost_;
  double flops_per_second_;
  ProductIndices indices_;
  AxisSet a_unreduced_, b_unreduced_;
  ArrayStates a_, b_, c_;
  PathTable a_paths_, b_paths_, c_paths_;
  std::vector<Extents> extents_;
};

}  // namespace

SearchResult search_product(const Product& product, const Mesh& mesh, const Hardware& hardware,
                            const SearchOptions& options) {
  return ProductSearch(product, mesh, hardware, options).run();
}

}  // namespace meshmul
