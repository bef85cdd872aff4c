#include "meshmul/world.hpp"

#include <fmt/format.h>

#include "equation.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/array_file.hpp"
#include "meshmul/error.hpp"
#include "meshmul/random.hpp"
#include "world_state.hpp"

namespace meshmul {

const WorldOptions& WorldOptions::defaults() {
  static const WorldOptions options;
  return options;
}

World World::on(std::string_view backend, Mesh mesh, const WorldOptions& options) {
  return World(std::make_shared<WorldState>(backend, std::move(mesh), options));
}
World World::threads(Mesh mesh, const WorldOptions& options) { return on("threads", std::move(mesh), options); }
World World::processes(Mesh mesh, const WorldOptions& options) { return on("processes", std::move(mesh), options); }
World World::reference(Mesh mesh, const WorldOptions& options) { return on("reference", std::move(mesh), options); }

const Mesh& World::mesh() const { return state_->mesh(); }

Array World::random(Dtype dtype, const Shape& shape, const P& sharding, std::uint64_t seed) {
  const Sharding resolved = sharding.resolve(mesh(), static_cast<int>(shape.size()));
  return state_->make_array(dtype, shape, sharding, [&](int rank, const Box& global, HostArray& shard) {
    const int term = mesh().group_index(rank, resolved.unreduced);
    const std::uint64_t seed_of_term = term == 0 ? seed : seed_for(seed, fmt::format("term {}", term));
    fill_random(shard.view(), global, shape, {seed_of_term, 0});
  });
}

Array World::zeros(Dtype dtype, const Shape& shape, const P& sharding) {
  return state_->make_array(dtype, shape, sharding, [](int, const Box&, HostArray&) {});
}

Array World::scatter(Dtype dtype, std::span<const std::byte> elements, const Shape& shape, const P& sharding) {
  const std::int64_t expected = Box::whole(shape).num_elements() * size_bytes(dtype);
  if (static_cast<std::int64_t>(elements.size()) != expected)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} bytes were given for an array of {} bytes", elements.size(), expected));
  return state_->scatter(dtype, shape, sharding, [&](const Box& global, View shard) {
    copy(shard, view_of(elements.data(), dtype, shape, global), {});
  });
}

Array World::scatter(const HostArray& whole, const P& sharding) {
  return scatter(whole.dtype(), whole.bytes(), whole.shape(), sharding);
}

Array World::load(const std::string& location, const P& sharding) {
  const ArrayReader file(location);
  return state_->scatter(file.dtype(), file.shape(), sharding,
                         [&](const Box& global, View shard) { file.read_box(global, shard); });
}

Plan World::plan_einsum(std::string_view equation, const Array& a, const Array& b, const std::optional<P>& output) {
  return state_->plan_statement(product_of(equation, a.type(), b.type(), output, mesh()));
}

void World::reset() { state_->reset(); }

}  // namespace meshmul
