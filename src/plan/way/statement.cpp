// Ways of one statement, and the statement that a way carries out.
#include <algorithm>

#include "meshmul/way.hpp"
#include "plan/way/local_product.hpp"
#include "plan/way/single_move.hpp"

namespace meshmul {
namespace {

bool is_single_step(const Product& product, const Mesh& mesh) {
  return !product.a.open && !product.b.open && !product.c.open && !local_product_fault(product, mesh) &&
         product.c.sharding == local_product_sharding(product);
}

bool is_single_step(const Reshard& reshard, const Mesh& mesh) {
  return !reshard.from.open && !reshard.to.open && single_move(reshard.from, reshard.to, AxisNumbering(mesh));
}

bool is_single_step(const Collective&, const Mesh&) { return true; }

/// The last type of the array of that name, which some step makes or reads.
const ArrayType& last_type(const Way& way, const std::string& name) {
  const ArrayType* last = nullptr;
  for (const Statement& step : way.steps) {
    for (const ArrayType* input : inputs(step))
      if (input->name == name) last = input;
    if (output(step).name == name) last = &output(step);
  }
  return *last;
}

}  // namespace

std::optional<Way> to_way(const Statement& statement, const Mesh& mesh) {
  const bool is_way = std::visit([&](const auto& kind) { return is_single_step(kind, mesh); }, statement);
  return is_way ? std::optional(Way{{statement}}) : std::nullopt;
}

std::optional<Statement> to_statement(const Way& way) {
  const Product* product = nullptr;
  for (const Statement& step : way.steps) {
    const auto* found = std::get_if<Product>(&step);
    if (found != nullptr && product != nullptr) return std::nullopt;
    if (found != nullptr) product = found;
  }
  const std::vector<const ArrayType*> read = inputs(way);
  const auto find = [&](const std::string& name) {
    return *std::find_if(read.begin(), read.end(), [&](const ArrayType* array) { return array->name == name; });
  };
  if (product != nullptr) {
    if (read.size() != 2) return std::nullopt;
    return Product{*find(product->a.name), *find(product->b.name), last_type(way, product->c.name)};
  }
  if (read.size() != 1) return std::nullopt;
  return Reshard{*read.front(), last_type(way, read.front()->name)};
}

}  // namespace meshmul
