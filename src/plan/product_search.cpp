// The search of a product: per array a table of cheapest paths, then every compute layout with every choice of paths.
#include <algorithm>
#include <limits>

#include "plan/layouts.hpp"
#include "plan/paths.hpp"
#include "plan/search.hpp"

namespace meshmul {
namespace {

/// A layout with the numbers of its states and the price of its local product.
struct PricedLayout {
  int a = 0, b = 0, c = 0;
  StepCost product;
};

/// A layout, and the paths that bring A and B into it and C out of it.
struct ProductWay {
  Price price;
  const PricedLayout* layout = nullptr;
  int a_path = 0, b_path = 0, c_path = 0;
};

struct PathTables {
  PathTable a, b, c;
};

AxisSet unreduced_axes(const ArrayType& array, const AxisNumbering& axes) {
  return axes.pack(array.sharding).unreduced;
}

class ProductSearch {
 public:
  ProductSearch(const Product& product, const Mesh& mesh, const Machine& machine, const SearchOptions& options)
      : product_(product),
        options_(options),
        axes_(mesh),
        cost_(axes_, machine),
        indices_(product),
        c_unreduced_(unreduced_axes(product.c, axes_)),
        a_unreduced_(may_be_unreduced(product.a)),
        b_unreduced_(may_be_unreduced(product.b)),
        a_(product.a, {product.a.dtype, product.a.dtype, c_unreduced_}, a_unreduced_, axes_, cost_),
        b_(product.b, {product.b.dtype, product.b.dtype, c_unreduced_}, b_unreduced_, axes_, cost_),
        c_(product.c, output_element_type(), possible_partial_axes(), axes_, cost_) {
    price_layouts({machine.hardware, machine.cost, product.a.dtype});
  }

  SearchResult run() const {
    const PathTables paths = path_tables();
    return search_result<ProductWay>(
        options_, [&](const auto& visit) { for_each_way(paths, visit); },
        [&](const ProductWay& way) { return steps_of(way, paths); });
  }

 private:
  /// The wire dtype is that of the output unless somebody asks for another.
  ElementType output_element_type() const {
    const Dtype dtype = product_.c.dtype;
    return {options_.wire_dtype.value_or(dtype), dtype, c_unreduced_};
  }

  /// Axes over which an input may be partial: all if it is so already, else those of the output, since making a small
  /// input partial takes less memory than making the output so.
  AxisSet may_be_unreduced(const ArrayType& input) const {
    return unreduced_axes(input, axes_) != 0 ? axes_.all() : c_unreduced_;
  }

  /// Axes over which C can be partial at some moment.
  AxisSet possible_partial_axes() const {
    AxisSet axes = a_unreduced_ | b_unreduced_;
    for (const bool contracted : indices_.contracted)
      if (contracted) axes |= axes_.all();
    return axes;
  }

  void price_layouts(const ProductRates& rates) {
    std::vector<Extents> extents;
    for (const std::int64_t size : indices_.sizes) extents.emplace_back(size, axes_);
    const auto price = [&](const ComputeLayout& layout) {
      PricedLayout priced{a_.find(layout.a), b_.find(layout.b), c_.find(layout.c), {}};
      ProductSize size;
      for (std::size_t index = 0; index < extents.size(); ++index)
        size.*indices_.part[index] *= extents[index][layout.indices.dims[index].set()];
      priced.product = product_cost(rates, size, a_.bytes(priced.a) + b_.bytes(priced.b) + c_.bytes(priced.c));
      layouts_.push_back(priced);
    };
    for_each_compute_layout(indices_, axes_.all(), a_unreduced_, b_unreduced_, price);
  }

  PathTables path_tables() const {
    const double limit = move_seconds_limit();
    return {PathTable(a_, Direction::kFromAnchors, input_anchors(product_.a, a_, axes_), limit),
            PathTable(b_, Direction::kFromAnchors, input_anchors(product_.b, b_, axes_), limit),
            PathTable(c_, Direction::kToAnchors, output_anchors(product_.c, c_, axes_), limit)};
  }

  /// What the moves of a way within the limit take at most.
  double move_seconds_limit() const {
    if (options_.overlapped || options_.seconds_limit == std::numeric_limits<double>::infinity())
      return options_.seconds_limit;
    double least_product = options_.seconds_limit;
    for (const PricedLayout& layout : layouts_) least_product = std::min(least_product, layout.product.seconds);
    constexpr double kRoundings = 1e-12;
    return options_.seconds_limit * (1 + kRoundings) - least_product;
  }

  template <class Visit>
  void for_each_way(const PathTables& paths, Visit visit) const {
    for (const PricedLayout& layout : layouts_)
      for (const int a : paths.a.paths_of(layout.a))
        for (const int b : paths.b.paths_of(layout.b))
          for (const int c : paths.c.paths_of(layout.c)) {
            ProductWay way{{}, &layout, a, b, c};
            way.price.product_seconds = layout.product.seconds;
            way.price.memory_bytes = c_.bytes(layout.c);
            for (const Path* path : {&paths.a.path(a), &paths.b.path(b), &paths.c.path(c)}) {
              way.price.move_seconds += path->seconds;
              way.price.sent_bytes += path->sent_bytes;
              way.price.memory_bytes += path->memory_bytes;
              way.price.num_moves += path->num_moves;
            }
            visit(way);
          }
  }

  std::vector<Step> steps_of(const ProductWay& way, const PathTables& paths) const {
    const PricedLayout& layout = *way.layout;
    std::vector<Step> steps;
    a_.append_moves(steps, Operand::kA, paths.a.states_along(way.a_path));
    b_.append_moves(steps, Operand::kB, paths.b.states_along(way.b_path));
    steps.emplace_back(LocalProduct{a_.type(layout.a), b_.type(layout.b), c_.type(layout.c), layout.product});
    c_.append_moves(steps, Operand::kC, paths.c.states_along(way.c_path));
    return steps;
  }

  const Product& product_;
  const SearchOptions& options_;
  AxisNumbering axes_;
  CostModel cost_;
  ProductIndices indices_;
  AxisSet c_unreduced_;
  /// Axes over which A, or B, may be partial.
  AxisSet a_unreduced_, b_unreduced_;
  ArrayStates a_, b_, c_;
  std::vector<PricedLayout> layouts_;
};

}  // namespace

SearchResult search_product(const Product& product, const Mesh& mesh, const Machine& machine,
                            const SearchOptions& options) {
  return ProductSearch(product, mesh, machine, options).run();
}

}  // namespace meshmul
