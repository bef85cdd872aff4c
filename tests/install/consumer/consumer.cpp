// Multiplies on ranks that are processes, and checks the result.

#include <iostream>
#include <meshmul/meshmul.hpp>

int main() {
  using namespace meshmul;

  World world = World::processes({{"X", 2}});
  const Array a = world.random(dtype::f32, {5, 3}, P("X", nullptr), 1);
  const Array b = world.random(dtype::f32, {3, 4}, P(nullptr, nullptr), 2);
  const HostArray c = einsum("ij,jk->ik", a, b, P("X", nullptr)).gather();
  const Statement statement = parse_statement("A[I=5, J=3] * B[J, K=4] -> C[I, K]", Mesh());
  const CheckResult result = check(statement, {a.gather(), b.gather()}, c);
  std::cout << to_string(result) << "\n";
  return result.ok ? 0 : 1;
}
