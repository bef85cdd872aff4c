// The same product with every rank a process of its own over shared memory: the numbers are the same to the last bit.

#include <iostream>
#include <meshmul/meshmul.hpp>

namespace {

meshmul::HostArray product(meshmul::World world) {
  using namespace meshmul;
  const Array a = world.random(dtype::f32, {300, 200}, P("X", nullptr), 1);
  const Array b = world.random(dtype::f32, {200, 100}, P("X", nullptr), 2);
  return einsum("ij,jk->ik", a, b, P("X", nullptr)).gather();
}

}  // namespace

int main() {
  using namespace meshmul;

  const bool same = product(World::processes({{"X", 4}})) == product(World::threads({{"X", 4}}));
  std::cout << "threads and processes agree: " << (same ? "yes" : "no") << "\n";
  return same ? 0 : 1;
}
