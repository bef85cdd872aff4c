// From a statement to the cheapest legal way, with what was not taken and why.

#include <iostream>
#include <meshmul/meshmul.hpp>

int main() {
  using namespace meshmul;

  const Mesh mesh = parse_mesh("X=4,Y=4");
  const Statement statement = parse_statement("bf16 A[I=8192_X, J=8192] * B[J, K=8192_X] -> C[I, K_X]", mesh);
  std::cout << to_string(plan(statement, mesh, find_hardware("v5e")));
}
