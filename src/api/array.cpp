#include <set>
#include <string>
#include <utility>

#include "kernels/kernels.hpp"
#include "meshmul/array_file.hpp"
#include "meshmul/layout.hpp"
#include "meshmul/world.hpp"
#include "world_state.hpp"

namespace meshmul {

const ArrayType& Array::type() const { return data_->type; }
Shape Array::shape() const { return global_shape(data_->type); }
Dtype Array::dtype() const { return data_->type.dtype; }
Shape Array::local_shape(int rank) const { return data_->shards[static_cast<std::size_t>(rank)]->shape(); }
Box Array::local_box(int rank) const { return meshmul::local_box(data_->type, data_->world->mesh(), rank); }
std::span<const std::byte> Array::shard(int rank) const {
  return data_->shards[static_cast<std::size_t>(rank)]->bytes();
}

HostArray Array::gather() const {
  const Mesh& mesh = data_->world->mesh();
  const Dtype wide = data_->type.sharding.unreduced.empty() ? dtype() : accumulator_of(dtype());
  HostArray sum(wide, shape());
  // The first rank of each group of replicas speaks for it. What lies along the unreduced axes is added; since ranks
  // are row-major, the term of coordinate 0 of a box comes before its others.
  std::set<std::pair<std::string, int>> seen;
  for (int rank = 0; rank < mesh.num_devices(); ++rank) {
    const Box box = local_box(rank);
    const int term = mesh.group_index(rank, data_->type.sharding.unreduced);
    if (!seen.emplace(box.str(), term).second) continue;
    const ConstView shard = data_->shards[static_cast<std::size_t>(rank)]->view();
    if (term == 0)
      copy(sum.view(box), shard, {});
    else
      reduce(sum.view(box), shard, {});
  }
  if (wide == dtype()) return sum;
  HostArray whole(dtype(), shape());
  copy(whole.view(), sum.view(), {});
  return whole;
}

void Array::save(const std::string& location) const { write_array(location, gather(), "array"); }

}  // namespace meshmul
