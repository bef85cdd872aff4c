// `meshmul-whole-products LIBRARY`: multiplies whole matrices by one library with all cores, whenever it is asked to. Each question is a
// WholeProduct on the standard input, which is a socket; it ends with it.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

#include "execute/cpu/mapping.hpp"
#include "meshmul/error.hpp"
#include "product_call.hpp"

namespace meshmul::measure {
namespace {

// In memory like that of the ranks: large pages where the machine has them.
class Prepared {
 public:
  Prepared(const std::string& library, const WholeProduct& product)
      : product_(product),
        a_(filled(product.m * product.k, product.dtype)),
        b_(filled(product.k * product.n, product.dtype)),
        c_(filled(product.m * product.n, product.dtype)),
        call_(product_call(library, product, {a_.data(), b_.data(), c_.data()})) {}

  const WholeProduct& product() const { return product_; }
  double seconds() const {
    const auto begin = std::chrono::steady_clock::now();
    call_();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  // Bytes that are a normal number in every dtype.
  static MemoryMapping filled(std::int64_t elements, Dtype dtype) {
    MemoryMapping mapping = MemoryMapping::anonymous(elements * size_bytes(dtype));
    std::fill_n(mapping.data(), elements * size_bytes(dtype), std::byte{0x3c});
    return mapping;
  }

  WholeProduct product_;
  MemoryMapping a_, b_, c_;
  std::function<void()> call_;
};

void serve(const std::string& library) {
  std::optional<Prepared> prepared;
  WholeProduct asked;
  while (read(STDIN_FILENO, &asked, sizeof(asked)) == static_cast<ssize_t>(sizeof(asked))) {
    if (!prepared || prepared->product() != asked) prepared.emplace(library, asked);
    const double seconds = prepared->seconds();
    if (write(STDOUT_FILENO, &seconds, sizeof(seconds)) != static_cast<ssize_t>(sizeof(seconds))) return;
  }
}

}  // namespace
}  // namespace meshmul::measure

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: meshmul-whole-products openblas|blis|onednn; it is started by meshmul bench\n");
    return 2;
  }
  try {
    meshmul::measure::serve(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "meshmul-whole-products: {}\n", error.what());
    return 1;
  }
}
