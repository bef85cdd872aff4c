// A stack of layers as one program: its weights lie cut over the mesh, and products and what moves beside them overlap.

#include <iostream>
#include <meshmul/meshmul.hpp>

int main() {
  using namespace meshmul;

  constexpr const char* kLayers =
      "bf16 X[B, D]?\n"
      "bf16 W1[L, D, F]?\n"
      "bf16 W2[L, F, D]?\n"
      "repeat L as l {\n"
      "  H = gelu(X * W1[l])\n"
      "  X = H * W2[l] like X\n"
      "}\n";
  World world = World::threads({{"X", 4}});
  const Array x = world.random(dtype::bf16, {64, 128}, P(nullptr, "X"), 1);
  const Array up = world.random(dtype::bf16, {2, 128, 512}, P(nullptr, nullptr, "X"), 2);
  const Array down = world.random(dtype::bf16, {2, 512, 128}, P(nullptr, "X", nullptr), 3);

  const NamedArrays outputs = world.run(kLayers, {{"X", x}, {"W1", up}, {"W2", down}});
  const Array& y = outputs.at("X");
  std::cout << "after two layers X is " << y.shape()[0] << " x " << y.shape()[1] << ", of which rank 0 has "
            << y.local_shape(0)[0] << " x " << y.local_shape(0)[1] << "\n";
  return 0;
}
