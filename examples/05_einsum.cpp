// A product of sharded arrays, in threads: the program of the README.

#include <iostream>
#include <meshmul/meshmul.hpp>

int main() {
  using namespace meshmul;

  World world = World::threads({{"X", 4}, {"Y", 2}});
  const Array a = world.random(dtype::bf16, {8, 2048}, P("X", "Y"));
  const Array b = world.random(dtype::bf16, {2048, 8192}, P(nullptr, "Y"));
  std::cout << to_string(world.plan_einsum("BD,DF->BF", a, b, P("X", "Y"))) << "\n";
  const Array c = einsum("BD,DF->BF", a, b, P("X", "Y"));
  const HostArray whole = c.gather();
  std::cout << "C[0, 0] = " << whole[0] << ", a shard is " << c.local_shape(0)[0] << " x " << c.local_shape(0)[1]
            << "\n";
}
