#include "program_contract.hpp"

#include <string>
#include <utility>

namespace meshmul {
namespace {

class ContractWriter {
 public:
  ContractWriter(const StraightLine& line, const Program& program) : line_(line), program_(program) {
    for (const LineArray& array : line.arrays) names_.push_back(array.type.name);
  }

  std::vector<ContractStatement> write() {
    for (const Line& line : line_.lines) {
      if (const auto* product = product_in(line))
        add_product(line, *product);
      else
        add_map(line);
    }
    return std::move(statements_);
  }

 private:
  static const ProductStatement* product_in(const Line& line) {
    return line.statement != nullptr ? std::get_if<ProductStatement>(line.statement) : nullptr;
  }
  const ArrayType& type(int array) const { return line_.arrays[static_cast<std::size_t>(array)].type; }

  void add_product(const Line& line, const ProductStatement& statement) {
    Product product{type(line.sources[0]), type(line.sources[1]), type(line.result)};
    if (product.b.name == product.a.name) {  // the arrays of a product have three names
      product.b.name = free_name(product.b.name + "again", names_);
      statements_.emplace_back(Elementwise{MapFunction::kConvert, {product.a}, product.b});
    }
    if (!statement.function) {
      statements_.emplace_back(Statement(std::move(product)));
      return;
    }
    product.c.dtype = product_of(program_, statement).c.dtype;
    product.c.name = free_name(product.c.name + "sum", names_);
    const ArrayType sums = product.c;
    statements_.emplace_back(Statement(std::move(product)));
    statements_.emplace_back(Elementwise{*statement.function, {sums}, type(line.result)});
  }

  void add_map(const Line& line) {
    Elementwise map{MapFunction::kConvert, {}, type(line.result)};
    if (line.statement != nullptr) map.function = std::get<MapStatement>(*line.statement).function;
    for (const int source : line.sources) map.sources.push_back(type(source));
    statements_.emplace_back(std::move(map));
  }

  const StraightLine& line_;
  const Program& program_;
  std::vector<std::string> names_;
  std::vector<ContractStatement> statements_;
};

}  // namespace

std::vector<ContractStatement> contract_statements(const StraightLine& line, const Program& program) {
  return ContractWriter(line, program).write();
}

}  // namespace meshmul
