// The named collectives on arrays: gather, reduce and scatter, reduce everywhere, exchange dimensions.

#include <iostream>
#include <meshmul/meshmul.hpp>

namespace {

void show(const char* what, const meshmul::Array& array, const meshmul::Mesh& mesh) {
  std::cout << what << " " << to_string(array.type(), mesh) << "\n";
  for (int rank = 0; rank < mesh.num_devices(); ++rank)
    std::cout << "  rank " << rank << " holds " << array.local_box(rank).str() << "\n";
}

}  // namespace

int main() {
  using namespace meshmul;

  World world = World::threads({{"X", 3}});
  const Array cut = world.random(dtype::f32, {7, 4}, P("X", nullptr));
  show("before:", cut, world.mesh());
  show("AllGather:", all_gather(cut, {"X"}), world.mesh());
  show("AllToAll:", all_to_all(cut, {"X"}, 1), world.mesh());

  // Every rank holds a term of the sum; afterwards every rank holds its block of the sum.
  const Array partial = world.random(dtype::f32, {7, 4}, P(nullptr, nullptr).unreduced({"X"}));
  const Array sum = reduce_scatter(partial, {"X"}, 0);
  show("ReduceScatter:", sum, world.mesh());
  const bool same = all_gather(sum, {"X"}).gather() == all_reduce(partial, {"X"}).gather();
  std::cout << "ReduceScatter then AllGather is AllReduce: " << (same ? "yes" : "no") << "\n";
  return same ? 0 : 1;
}
