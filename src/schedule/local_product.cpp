#include "local_product.hpp"

#include <cctype>
#include <map>

namespace meshmul {
namespace {

// Letters for the names of indices, each given once.
class Letters {
 public:
  char of(const std::string& index) {
    const auto [found, is_new] = letters_.try_emplace(index, '\0');
    if (is_new) found->second = pick(static_cast<char>(std::tolower(static_cast<unsigned char>(index.front()))));
    return found->second;
  }

 private:
  bool is_free(char letter) const { return used_.find(letter) == std::string::npos; }

  char pick(char preferred) {
    char letter = preferred;
    if (!is_free(letter)) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    for (letter = is_free(letter) ? letter : 'a'; !is_free(letter);) ++letter;
    used_ += letter;
    return letter;
  }

  std::map<std::string, char> letters_;
  std::string used_;
};

}  // namespace

std::string einsum_of(const ArrayType& a, const ArrayType& b, const ArrayType& c) {
  Letters letters;
  std::string text;
  const auto add = [&](const ArrayType& type) {
    for (const Dim& dim : type.dims) text += letters.of(dim.index);
  };
  add(a);
  text += ',';
  add(b);
  text += "->";
  add(c);
  return text;
}

void local_product(ScheduleBuilder& builder, const PlacedArray& a, const PlacedArray& b, const PlacedArray& c) {
  const std::string einsum = einsum_of(a.type, b.type, c.type);
  for (int rank = 0; rank < builder.num_ranks(); ++rank)
    builder.gemm(c.region(rank), a.region(rank), b.region(rank), einsum);
}

}  // namespace meshmul
