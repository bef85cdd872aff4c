// A mesh, an array that is cut over it, and what each device holds.
//
//     mesh X=2,Y=2          A[I=5_X, J=4_Y]
//
//     device 0 (0,0)        rows 0..2, columns 0..1
//     device 1 (0,1)        rows 0..2, columns 2..3
//     device 2 (1,0)        rows 3..4, columns 0..1
//     device 3 (1,1)        rows 3..4, columns 2..3

#include <iostream>
#include <meshmul/meshmul.hpp>

int main() {
  using namespace meshmul;

  const Mesh mesh = parse_mesh("X=2,Y=2");
  const ArrayType a = parse_array("bf16 A[I=5_X, J=4_Y]", mesh);
  std::cout << to_string(a, mesh) << " on mesh " << mesh.str() << "\n";
  for (int device = 0; device < mesh.num_devices(); ++device)
    std::cout << "  device " << device << " holds " << local_box(a, mesh, device).str() << "\n";

  // Errors carry the place.
  try {
    parse_statement("A[I_X, J_X] * B[J, K] -> C[I, K]", mesh);
  } catch (const Error& error) {
    std::cout << error.report() << "\n";
    return 0;
  }
  return 1;
}
