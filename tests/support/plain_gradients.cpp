#include "support/plain_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace meshmul::testing {
namespace {

/// f(x, y), and its derivatives by x and by y.
struct Slope {
  double value = 0, by_x = 0, by_y = 0;
};

Slope smooth(double x, double s, double slope) { return {x * s, s + x * slope, 0}; }

Slope apply(MapFunction function, double x, double y) {
  switch (function) {
    case MapFunction::kGelu:
      return smooth(x, (1 + std::erf(x / std::numbers::sqrt2)) / 2,
                    std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi));
    case MapFunction::kGeluTanh: {
      const double c = std::sqrt(2 / std::numbers::pi);
      const double t = std::tanh(c * (x + 0.044715 * x * x * x));
      return smooth(x, (1 + t) / 2, (1 - t * t) / 2 * c * (1 + 3 * 0.044715 * x * x));
    }
    case MapFunction::kSilu: {
      const double s = 1 / (1 + std::exp(-x));
      return smooth(x, s, s * (1 - s));
    }
    case MapFunction::kRelu: return {std::max(x, 0.0), x > 0 ? 1.0 : 0.0, 0};
    case MapFunction::kAdd:
    case MapFunction::kBias: return {x + y, 1, 1};
    case MapFunction::kMul:
    case MapFunction::kScale: return {x * y, y, x};
    case MapFunction::kConvert: return {x, 1, 0};
    default: throw std::logic_error("not a function of the tape: " + std::string(name(function)));
  }
}

struct Node {
  std::vector<Dim> dims;
  std::vector<double> values;
  std::vector<double> gradients;
};

std::int64_t num_elements(const std::vector<Dim>& dims) {
  std::int64_t product = 1;
  for (const Dim& dim : dims) product *= dim.size;
  return product;
}

/// Calls `visit` with the place of each combination of `all` in an array of each of `arrays`.
template <class Visit>
void for_each_place(const std::vector<Dim>& all, const std::vector<const std::vector<Dim>*>& arrays, Visit visit) {
  std::vector<std::vector<std::int64_t>> strides(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i)
    for (const Dim& dim : all) {
      std::int64_t stride = 0;
      std::int64_t below = 1;
      for (auto other = arrays[i]->rbegin(); other != arrays[i]->rend(); ++other) {
        if (other->index == dim.index) stride = below;
        below *= other->size;
      }
      strides[i].push_back(stride);
    }
  std::vector<std::size_t> places(arrays.size());
  for (std::int64_t number = 0; number < num_elements(all); ++number) {
    std::fill(places.begin(), places.end(), 0);
    std::int64_t rest = number;
    for (std::size_t d = all.size(); d-- > 0; rest /= all[d].size)
      for (std::size_t i = 0; i < arrays.size(); ++i)
        places[i] += static_cast<std::size_t>(rest % all[d].size * strides[i][d]);
    visit(places);
  }
}

class Tape {
 public:
  Tape(const Program& program, const std::map<std::string, Reals>& given)
      : program_(program), current_(program.values.size()) {
    for (const ValueId id : inputs(program))
      current_[at(id)] = add(program.value(id).type.dims, given.at(program.value(id).type.name).values);
  }

  std::vector<Reals> run() {
    for (const ProgramItem& item : program_.items) {
      if (const auto* statement = std::get_if<ProgramStatement>(&item)) {
        std::visit(*this, *statement);
        continue;
      }
      const auto& loop = std::get<Repeat>(item);
      for (pass_ = 0; pass_ < loop.count; ++pass_) {
        std::vector<std::size_t> begins;
        for (const Carry& carry : loop.carries) begins.push_back(current_[at(pass_ == 0 ? carry.before : carry.end)]);
        for (std::size_t i = 0; i < begins.size(); ++i) current_[at(loop.carries[i].begin)] = begins[i];
        for (const ProgramStatement& statement : loop.body) std::visit(*this, statement);
      }
      for (const Carry& carry : loop.carries) current_[at(carry.after)] = current_[at(carry.end)];
    }
    std::vector<Reals> results;
    for (const ValueId id : outputs(program_)) {
      const Node& node = nodes_[current_[at(id)]];
      Reals& result = results.emplace_back();
      for (const Dim& dim : node.dims) result.shape.push_back(dim.size);
      result.values = node.values;
    }
    return results;
  }

  void operator()(const ProductStatement& statement) {
    const std::size_t a = node_of(statement.a), b = node_of(statement.b);
    const std::size_t c = add(program_.value(statement.result).type.dims, {});
    std::vector<Dim> all = nodes_[a].dims;
    for (const Dim& dim : nodes_[b].dims)
      if (std::find(all.begin(), all.end(), dim) == all.end()) all.push_back(dim);
    for_each_place(all, {&nodes_[a].dims, &nodes_[b].dims, &nodes_[c].dims}, [&](const auto& places) {
      nodes_[c].values[places[2]] += nodes_[a].values[places[0]] * nodes_[b].values[places[1]];
    });
    steps_.push_back([this, a, b, c, all] {
      for_each_place(all, {&nodes_[a].dims, &nodes_[b].dims, &nodes_[c].dims}, [&](const auto& places) {
        nodes_[a].gradients[places[0]] += nodes_[c].gradients[places[2]] * nodes_[b].values[places[1]];
        nodes_[b].gradients[places[1]] += nodes_[c].gradients[places[2]] * nodes_[a].values[places[0]];
      });
    });
    current_[at(statement.result)] = statement.function ? map(*statement.function, {c}, nodes_[c].dims) : c;
  }

  void operator()(const MapStatement& statement) {
    std::vector<std::size_t> sources;
    for (const Use& use : statement.sources) sources.push_back(node_of(use));
    current_[at(statement.result)] = map(statement.function, sources, program_.value(statement.result).type.dims);
  }

  void operator()(const GradStatement& statement) {
    for (Node& node : nodes_) node.gradients.assign(node.values.size(), 0);
    nodes_[current_[at(statement.of)]].gradients = nodes_[current_[at(statement.cotangent)]].values;
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) (*step)();
    for (std::size_t i = 0; i < statement.results.size(); ++i) {
      const Node& node = nodes_[current_[at(statement.with_respect_to[i])]];
      current_[at(statement.results[i])] = add(node.dims, node.gradients);
    }
  }

 private:
  static std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

  std::size_t add(std::vector<Dim> dims, std::vector<double> values) {
    values.resize(static_cast<std::size_t>(num_elements(dims)));
    const std::vector<double> none(values.size());
    nodes_.push_back({std::move(dims), std::move(values), none});
    return nodes_.size() - 1;
  }

  std::size_t node_of(const Use& use) {
    const std::size_t whole = current_[at(use.value)];
    if (!use.sliced) return whole;
    const std::vector<Dim> dims(nodes_[whole].dims.begin() + 1, nodes_[whole].dims.end());
    const std::int64_t first = pass_ * num_elements(dims);
    const auto begin = nodes_[whole].values.begin() + first;
    const std::size_t slice = add(dims, std::vector<double>(begin, begin + num_elements(dims)));
    steps_.push_back([this, whole, slice, first] {
      for (std::size_t i = 0; i < nodes_[slice].values.size(); ++i)
        nodes_[whole].gradients[static_cast<std::size_t>(first) + i] += nodes_[slice].gradients[i];
    });
    return slice;
  }

  std::size_t map(MapFunction function, const std::vector<std::size_t>& sources, std::vector<Dim> dims) {
    const std::size_t result = add(dims, {});
    const std::size_t x = sources.front(), y = sources.back();
    const bool has_second = sources.size() > 1;
    const auto slope = [this, function, x, y](const auto& places) {
      return apply(function, nodes_[x].values[places[0]], nodes_[y].values[places[1]]);
    };
    for_each_place(dims, {&nodes_[x].dims, &nodes_[y].dims, &dims},
                   [&](const auto& places) { nodes_[result].values[places[2]] = slope(places).value; });
    steps_.push_back([this, result, x, y, has_second, dims, slope] {
      for_each_place(dims, {&nodes_[x].dims, &nodes_[y].dims, &dims}, [&](const auto& places) {
        const Slope at_place = slope(places);
        const double gradient = nodes_[result].gradients[places[2]];
        nodes_[x].gradients[places[0]] += gradient * at_place.by_x;
        if (has_second) nodes_[y].gradients[places[1]] += gradient * at_place.by_y;
      });
    });
    return result;
  }

  const Program& program_;
  std::vector<std::size_t> current_;  // by value: its node now
  std::vector<Node> nodes_;
  std::vector<std::function<void()>> steps_;  // backward
  std::int64_t pass_ = 0;
};

}  // namespace

std::vector<Reals> plain_results(const Program& program, const std::map<std::string, Reals>& given) {
  return Tape(program, given).run();
}

}  // namespace meshmul::testing
