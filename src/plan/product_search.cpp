// The search of a product on one machine: bounds say which layouts and moves are worth a look; then per array a table of
// cheapest paths, then every layout with every choice of paths.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "plan/move_bounds.hpp"
#include "plan/paths.hpp"
#include "plan/product_space.hpp"
#include "plan/search.hpp"
#include "plan/short_chains.hpp"

namespace meshmul {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Sums in another order differ by less.
constexpr double kRounding = 1e-11;

/// A layout, and the paths that bring A and B into it and C out of it.
struct ProductWay {
  Price price;
  const PricedLayout* layout = nullptr;
  int a_path = 0, b_path = 0, c_path = 0;
};

/// A layout with what the moves around it take at least.
struct BoundedLayout {
  const PricedLayout* layout = nullptr;
  double a_seconds = 0, b_seconds = 0, c_seconds = 0;

  double move_seconds() const { return a_seconds + b_seconds + c_seconds; }
};

struct PathTables {
  PathTable a, b, c;
};

/// Where an array is before the product, or is to be after it; nothing if its sharding is open.
std::optional<int> place_of(const ArrayType& array, const StateSpace& space) {
  if (array.open) return std::nullopt;
  return space.find(space.axes().pack(array.sharding));
}

/// The least is number 0. Infinity if there are not so many.
double nth_smallest(std::vector<double> numbers, std::size_t n) {
  if (numbers.size() <= n) return kInfinity;
  const auto nth = numbers.begin() + static_cast<std::ptrdiff_t>(n);
  std::nth_element(numbers.begin(), nth, numbers.end());
  return *nth;
}

/// Of layouts, for every way that is asked for.
constexpr std::size_t kFewLayouts = 16;

class ProductSearch final : public MachineSearch {
 public:
  ProductSearch(const ProductSpace& space, const Machine& machine)
      : space_(space),
        cost_(space.axes(), machine),
        a_bounds_(space.a(), cost_),
        b_bounds_(space.b(), cost_),
        c_bounds_(space.c(), cost_),
        a_(space.a(), cost_),
        b_(space.b(), cost_),
        c_(space.c(), cost_),
        a_place_(place_of(space.product().a, space.a())),
        b_place_(place_of(space.product().b, space.b())),
        c_place_(place_of(space.product().c, space.c())) {
    for (const PricedLayout& layout : space_.layouts())
      layouts_.push_back({&layout, a_place_ ? a_bounds_.seconds(*a_place_, layout.a) : 0,
                          b_place_ ? b_bounds_.seconds(*b_place_, layout.b) : 0,
                          c_place_ ? c_bounds_.seconds(layout.c, *c_place_) : 0});
  }

  double least_seconds(const SearchOptions& options) const override {
    return nth_smallest(least_seconds_of_layouts(options), 0);
  }

  SearchResult run(const SearchOptions& options) const override {
    if (options.for_front) return within(kInfinity, options);
    const double known = known_seconds(options);
    const std::vector<double> least = least_seconds_of_layouts(options);
    const std::size_t asked_for = options.max_rejected + 1;
    // Below a limit that leaves few layouts a search is quick enough to be tried, also if too little is found.
    if (nth_smallest(least, kFewLayouts * asked_for) < known)
      for (const double limit : rising_limits(nth_smallest(least, options.max_rejected))) {
        if (limit >= known) break;
        if (SearchResult found = within(limit, options); has_all(found, limit, options)) return found;
      }
    return within(known, options);
  }

  SearchResult within(double seconds, const SearchOptions& options) const override {
    if (seconds == kInfinity) return run_on(layouts_, {Deadlines(), Deadlines(), Deadlines()}, options);
    const double latest = seconds * (1 + kRounding);
    std::vector<BoundedLayout> layouts;
    for (const BoundedLayout& layout : layouts_)
      if (counted(layout.move_seconds(), layout.layout->product.seconds, options) <= latest) layouts.push_back(layout);
    if (layouts.empty()) return {};
    const auto deadlines = [&](const StateSpace& space, const MoveBounds& bounds, Direction direction,
                               int PricedLayout::* state, double BoundedLayout::* own_seconds) {
      return Deadlines(bounds, direction, targets(space, layouts, latest, state, own_seconds, options), space.size());
    };
    return run_on(
        layouts,
        {deadlines(space_.a(), a_bounds_, Direction::kFromAnchors, &PricedLayout::a, &BoundedLayout::a_seconds),
         deadlines(space_.b(), b_bounds_, Direction::kFromAnchors, &PricedLayout::b, &BoundedLayout::b_seconds),
         deadlines(space_.c(), c_bounds_, Direction::kToAnchors, &PricedLayout::c, &BoundedLayout::c_seconds)},
        options);
  }

 private:
  static double counted(double move_seconds, double product_seconds, const SearchOptions& options) {
    return options.overlapped ? std::max(move_seconds, product_seconds) : move_seconds + product_seconds;
  }

  std::vector<double> least_seconds_of_layouts(const SearchOptions& options) const {
    std::vector<double> seconds;
    for (const BoundedLayout& layout : layouts_)
      seconds.push_back(counted(layout.move_seconds(), layout.layout->product.seconds, options));
    return seconds;
  }

  /// Whether nothing that was asked for can take longer than `limit`.
  static bool has_all(const SearchResult& found, double limit, const SearchOptions& options) {
    return found.best && counted_seconds(found.best->price, options) <= limit &&
           found.rejected.size() == options.max_rejected &&
           (found.rejected.empty() || counted_seconds(found.rejected.back().price, options) <= limit);
  }

  /// What the best way that fits, and `max_rejected` others, take at most, as far as short chains of moves show it; infinity
  /// if they do not.
  double known_seconds(const SearchOptions& options) const {
    double fastest_that_fits = kInfinity;
    std::vector<double> seconds;
    for (const PricedLayout& layout : space_.layouts())
      if (const std::optional<Price> price = short_way(layout)) {
        seconds.push_back(counted_seconds(*price, options));
        if (price->memory_bytes <= options.memory_limit)
          fastest_that_fits = std::min(fastest_that_fits, seconds.back());
      }
    return std::max(fastest_that_fits, nth_smallest(std::move(seconds), options.max_rejected));
  }

  /// A way of this layout with short chains of moves; nothing if there is none.
  std::optional<Price> short_way(const PricedLayout& layout) const {
    Price price;
    price.product_seconds = layout.product.seconds;
    price.memory_bytes = space_.c().bytes(layout.c);
    const auto add = [&](const std::optional<ShortChain>& chain) {
      if (!chain) return false;
      price.move_seconds += chain->seconds;
      price.memory_bytes += chain->new_bytes;
      return true;
    };
    const bool found = add(input_chain(space_.a(), a_place_, layout.a)) &&
                       add(input_chain(space_.b(), b_place_, layout.b)) &&
                       add(short_chain(space_.c(), cost_, layout.c, c_place_, true));
    return found ? std::optional(price) : std::nullopt;
  }

  std::optional<ShortChain> input_chain(const StateSpace& space, std::optional<int> place, int state) const {
    if (!place) {
      if (space.sharding(state).unreduced != 0) return std::nullopt;
      return ShortChain{0, space.bytes(state)};
    }
    std::optional<ShortChain> chain = short_chain(space, cost_, *place, state, false);
    if (chain) chain->new_bytes += space.bytes(*place);
    return chain;
  }

  /// The states of one array in `layouts`, with what is left of the time for its own moves.
  std::vector<Target> targets(const StateSpace& space, const std::vector<BoundedLayout>& layouts, double latest,
                              int PricedLayout::* state, double BoundedLayout::* own_seconds,
                              const SearchOptions& options) const {
    std::vector<double> left(static_cast<std::size_t>(space.size()), -kInfinity);
    for (const BoundedLayout& bounded : layouts) {
      const double others = bounded.move_seconds() - bounded.*own_seconds;
      double& most = left[static_cast<std::size_t>(bounded.layout->*state)];
      most = std::max(most, latest - others - (options.overlapped ? 0 : bounded.layout->product.seconds));
    }
    std::vector<Target> targets;
    for (int i = 0; i < space.size(); ++i)
      if (const double seconds = left[static_cast<std::size_t>(i)]; seconds >= 0) targets.push_back({i, seconds});
    return targets;
  }

  struct AllDeadlines {
    Deadlines a, b, c;
  };

  SearchResult run_on(const std::vector<BoundedLayout>& layouts, AllDeadlines deadlines,
                      const SearchOptions& options) const {
    const Product& product = space_.product();
    const PathTables paths{
        PathTable(a_, Direction::kFromAnchors, input_anchors(product.a, space_.a()), std::move(deadlines.a)),
        PathTable(b_, Direction::kFromAnchors, input_anchors(product.b, space_.b()), std::move(deadlines.b)),
        PathTable(c_, Direction::kToAnchors, output_anchors(product.c, space_.c()), std::move(deadlines.c))};
    const auto steps_of = [&](const ProductWay& way) {
      const PricedLayout& layout = *way.layout;
      std::vector<Step> steps;
      a_.append_moves(steps, Operand::kA, paths.a.states_along(way.a_path));
      b_.append_moves(steps, Operand::kB, paths.b.states_along(way.b_path));
      steps.emplace_back(LocalProduct{space_.a().type(layout.a), space_.b().type(layout.b), space_.c().type(layout.c),
                                      layout.product});
      c_.append_moves(steps, Operand::kC, paths.c.states_along(way.c_path));
      return steps;
    };
    return search_result<ProductWay>(
        options, [&](const auto& visit) { for_each_way(layouts, paths, visit); }, steps_of);
  }

  template <class Visit>
  void for_each_way(const std::vector<BoundedLayout>& layouts, const PathTables& paths, Visit visit) const {
    for (const auto& [layout, a_seconds, b_seconds, c_seconds] : layouts)
      for (const int a : paths.a.paths_of(layout->a))
        for (const int b : paths.b.paths_of(layout->b))
          for (const int c : paths.c.paths_of(layout->c)) {
            ProductWay way{{}, layout, a, b, c};
            way.price.product_seconds = layout->product.seconds;
            way.price.memory_bytes = space_.c().bytes(layout->c);
            for (const Path* path : {&paths.a.path(a), &paths.b.path(b), &paths.c.path(c)}) {
              way.price.move_seconds += path->seconds;
              way.price.sent_bytes += path->sent_bytes;
              way.price.memory_bytes += path->memory_bytes;
              way.price.num_moves += path->num_moves;
            }
            visit(way);
          }
  }

  const ProductSpace& space_;
  CostModel cost_;
  MoveBounds a_bounds_, b_bounds_, c_bounds_;
  ArrayStates a_, b_, c_;
  std::optional<int> a_place_, b_place_, c_place_;
  std::vector<BoundedLayout> layouts_;  // all
};

}  // namespace

std::unique_ptr<const MachineSearch> product_search(const ProductSpace& space, const Machine& machine) {
  return std::make_unique<const ProductSearch>(space, machine);
}

}  // namespace meshmul
