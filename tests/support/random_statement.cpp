#include "support/random_statement.hpp"

#include <algorithm>
#include <string>

#include "meshmul/layout.hpp"
#include "support/chooser.hpp"

namespace meshmul::testing {
namespace {

Mesh random_mesh(Chooser& choose) {
  const int num_axes = 1 + choose.weighted({30, 45, 25});
  for (;;) {
    std::vector<MeshAxis> axes;
    std::int64_t devices = 1;
    for (int axis = 0; axis < num_axes; ++axis) {
      const std::int64_t sizes[] = {1, 2, 3, 4, 5, 6, 8};
      axes.push_back({std::string(1, "XYZ"[axis]), sizes[choose.weighted({4, 40, 25, 20, 4, 3, 4})]});
      devices *= axes.back().size;
    }
    if (devices <= 16) return Mesh(std::move(axes));
  }
}

std::int64_t random_size(Chooser& choose) {
  switch (choose.weighted({1, 5, 64, 30})) {
    case 0: return 0;
    case 1: return 1;
    case 2: return choose.between(2, 8);
    default: return choose.between(9, 13);
  }
}

Sharding random_sharding(Chooser& choose, const Mesh& mesh, int num_dims, int partial_chance) {
  Sharding sharding = Sharding::replicated(num_dims);
  std::vector<int> axes;
  for (int axis = 0; axis < mesh.num_axes(); ++axis) axes.push_back(axis);
  choose.shuffle(axes);
  for (const int axis : axes) {
    if (choose.percent(partial_chance))
      sharding.unreduced.push_back(axis);
    else if (num_dims > 0 && choose.percent(70))
      sharding.dims[static_cast<std::size_t>(choose.between(0, num_dims - 1))].push_back(axis);
  }
  std::sort(sharding.unreduced.begin(), sharding.unreduced.end());
  return sharding;
}

ArrayType random_array(Chooser& choose, const Mesh& mesh, std::string name, Dtype dtype, std::vector<Dim> dims,
                       int partial_chance) {
  if (choose.percent(30)) choose.shuffle(dims);
  const auto num_dims = static_cast<int>(dims.size());
  return {std::move(name), dtype, std::move(dims), random_sharding(choose, mesh, num_dims, partial_chance), false};
}

Dtype random_dtype(Chooser& choose) { return kAllDtypes[choose.between(0, std::size(kAllDtypes) - 1)]; }

Product random_product(Chooser& choose, const Mesh& mesh) {
  std::vector<Dim> batch;
  std::vector<Dim> left;
  std::vector<Dim> right;
  std::vector<Dim> contracted;
  char letter = 'I';
  const auto draw = [&](std::vector<Dim>& dims, int count) {
    for (int i = 0; i < count; ++i) dims.push_back({std::string(1, letter++), random_size(choose)});
  };
  draw(left, choose.weighted({8, 80, 12}));
  draw(contracted, choose.weighted({8, 80, 12}));
  draw(right, choose.weighted({8, 80, 12}));
  draw(batch, choose.weighted({75, 20, 5}));
  const auto joined = [](std::vector<Dim> first, const std::vector<Dim>& second, const std::vector<Dim>& third) {
    first.insert(first.end(), second.begin(), second.end());
    first.insert(first.end(), third.begin(), third.end());
    return first;
  };
  const Dtype dtype = random_dtype(choose);
  Product product{random_array(choose, mesh, "A", dtype, joined(batch, left, contracted), 8),
                  random_array(choose, mesh, "B", dtype, joined(batch, contracted, right), 8),
                  random_array(choose, mesh, "C", product_dtype(dtype), joined(batch, left, right), 15)};
  if (choose.percent(10)) {
    product.c.open = true;
    product.c.sharding = Sharding::replicated(product.c.num_dims());
  }
  return product;
}

Reshard random_reshard(Chooser& choose, const Mesh& mesh) {
  std::vector<Dim> dims;
  const auto num_dims = static_cast<int>(choose.between(1, 3));
  for (int d = 0; d < num_dims; ++d) dims.push_back({std::string(1, static_cast<char>('I' + d)), random_size(choose)});
  const Dtype dtype = random_dtype(choose);
  Reshard reshard;
  reshard.from = {"A", dtype, dims, random_sharding(choose, mesh, num_dims, 15), false};
  reshard.to = random_array(choose, mesh, "A", dtype, dims, 20);
  // The same axes in another order or another dimension: what a Permute or AllToAll does.
  if (choose.percent(45)) {
    reshard.to = reshard.from;
    std::vector<int> axes;
    for (std::vector<int>& dim : reshard.to.sharding.dims) {
      if (choose.percent(60)) std::reverse(dim.begin(), dim.end());
      axes.insert(axes.end(), dim.begin(), dim.end());
    }
    if (choose.percent(50)) {
      std::vector<int> left_over;
      for (int axis = 0; axis < mesh.num_axes(); ++axis) left_over.push_back(axis);
      choose.shuffle(left_over);
      std::size_t next = 0;
      const std::vector<int>& unreduced = reshard.to.sharding.unreduced;
      for (std::vector<int>& dim : reshard.to.sharding.dims)
        for (int& axis : dim) {
          while (std::find(unreduced.begin(), unreduced.end(), left_over[next]) != unreduced.end()) ++next;
          axis = left_over[next++];
        }
    }
  }
  return reshard;
}

/// The same blocks on other devices, one to one: the order of the axes of a dimension changes, and its size divides.
Reshard random_permutation(Chooser& choose, const Mesh& mesh) {
  std::vector<int> axes;
  for (int axis = 0; axis < mesh.num_axes(); ++axis) axes.push_back(axis);
  choose.shuffle(axes);
  const Dim cut{"I", mesh.size(axes) * choose.between(1, 2)};
  Reshard reshard;
  reshard.from = {"A", random_dtype(choose), {cut, {"J", random_size(choose)}}, {{axes, {}}, {}}, false};
  reshard.to = reshard.from;
  choose.shuffle(reshard.to.sharding.dims[0]);
  return reshard;
}

/// A collective is drawn as text, so that its result has the type that the notation gives it.
std::string random_collective(Chooser& choose, const Mesh& mesh) {
  const Dtype dtype = random_dtype(choose);
  std::vector<int> axes;
  for (int axis = 0; axis < mesh.num_axes(); ++axis) axes.push_back(axis);
  choose.shuffle(axes);
  const auto taken = static_cast<std::size_t>(choose.between(1, static_cast<std::int64_t>(axes.size())));
  const std::vector<int> moving(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(taken));
  const std::vector<int> others(axes.begin() + static_cast<std::ptrdiff_t>(taken), axes.end());

  ArrayType type{"A", dtype, {{"I", random_size(choose)}, {"J", random_size(choose)}}, Sharding::replicated(2), false};
  for (const int axis : others)
    if (choose.percent(60)) type.sharding.dims[static_cast<std::size_t>(choose.between(0, 1))].push_back(axis);
  std::string names;
  for (const int axis : moving) names += mesh.name(axis);
  const bool reduces = choose.percent(50);
  if (reduces) {
    type.sharding.unreduced = moving;
    std::sort(type.sharding.unreduced.begin(), type.sharding.unreduced.end());
    const std::string array = to_string(type, mesh);
    return choose.percent(50) ? "AllReduce_" + names + "(" + array + ")"
                              : "ReduceScatter_" + names + (choose.percent(50) ? ",I(" : ",J(") + array + ")";
  }
  const bool all_to_all = choose.percent(50);
  for (const int axis : moving)
    type.sharding.dims[all_to_all ? 0 : static_cast<std::size_t>(choose.between(0, 1))].push_back(axis);
  const std::string array = to_string(type, mesh);
  return all_to_all ? "AllToAll_" + names + ",J(" + array + ")" : "AllGather_" + names + "(" + array + ")";
}

/// Largest whole number up to which a dtype holds every whole number.
std::int64_t exact_up_to(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return std::int64_t{1} << 53;
    case Dtype::kF32: return std::int64_t{1} << 24;
    case Dtype::kI32: return (std::int64_t{1} << 31) - 1;
    case Dtype::kF16: return 2048;
    case Dtype::kBf16: return 256;
    case Dtype::kF8e4m3: return 16;
    case Dtype::kI8: return 127;
  }
  return 0;
}

std::int64_t terms_of(const ArrayType& type, const Mesh& mesh) { return mesh.size(type.sharding.unreduced); }

bool stays_exact(const MeshStatement& s) {
  for (const ArrayType* input : inputs(s.statement))
    if (terms_of(*input, s.mesh) > exact_up_to(input->dtype)) return false;
  return most_terms(s) <= exact_up_to(output(s.statement).dtype);
}

void for_each_array(Statement& statement, const auto& change) {
  for (ArrayType* input : inputs(statement)) change(*input);
  change(output(statement));
}

/// The mesh with one axis shortened to `size`.
Mesh with_axis_size(const Mesh& mesh, int axis, std::int64_t size) {
  std::vector<MeshAxis> axes = mesh.axes();
  axes[static_cast<std::size_t>(axis)].size = size;
  return Mesh(std::move(axes));
}

}  // namespace

std::int64_t most_terms(const MeshStatement& s) {
  std::int64_t terms = 1;
  for (const ArrayType* input : inputs(s.statement)) terms *= terms_of(*input, s.mesh);
  if (const auto* product = std::get_if<Product>(&s.statement))
    for (const std::string& index : index_roles(*product).contracted)
      for (const Dim& dim : product->a.dims)
        if (dim.index == index) terms *= std::max<std::int64_t>(dim.size, 1);
  return terms;
}

MeshStatement random_statement(std::mt19937_64& random) {
  Chooser choose(random);
  for (;;) {
    const Mesh mesh = random_mesh(choose);
    MeshStatement s{mesh, {}};
    switch (choose.weighted({51, 26, 12, 11})) {
      case 0: s.statement = random_product(choose, mesh); break;
      case 1: s.statement = random_reshard(choose, mesh); break;
      case 2: s.statement = random_permutation(choose, mesh); break;
      default: s.statement = parse_statement(random_collective(choose, mesh), mesh);
    }
    if (stays_exact(s)) return s;
  }
}

std::vector<MeshStatement> smaller(const MeshStatement& original) {
  std::vector<MeshStatement> candidates;
  // 1. Smaller mesh axes.
  for (int axis = 0; axis < original.mesh.num_axes(); ++axis)
    for (const std::int64_t size : {std::int64_t{1}, original.mesh.size(axis) - 1})
      if (size >= 1 && size < original.mesh.size(axis))
        candidates.push_back({with_axis_size(original.mesh, axis, size), original.statement});
  // 2. Shorter dimensions.
  MeshStatement copy = original;
  std::vector<Dim> dims;
  for_each_array(copy.statement,
                 [&](const ArrayType& type) { dims.insert(dims.end(), type.dims.begin(), type.dims.end()); });
  for (const Dim& shortened : dims)
    for (const std::int64_t size : {shortened.size / 2, shortened.size - 1}) {
      if (size < 0 || size == shortened.size) continue;
      candidates.push_back(original);
      for_each_array(candidates.back().statement, [&](ArrayType& type) {
        for (Dim& dim : type.dims)
          if (dim.index == shortened.index) dim.size = size;
      });
    }
  if (std::holds_alternative<Collective>(original.statement)) return candidates;
  // 3. Less sharding, array by array.
  const std::size_t num_arrays = inputs(copy.statement).size() + 1;
  const auto array_of = [](MeshStatement& s, std::size_t i) -> ArrayType& {
    const std::vector<ArrayType*> all = inputs(s.statement);
    return i < all.size() ? *all[i] : output(s.statement);
  };
  for (std::size_t i = 0; i < num_arrays; ++i) {
    const ArrayType& type = array_of(copy, i);
    if (!type.sharding.unreduced.empty()) {
      candidates.push_back(original);
      array_of(candidates.back(), i).sharding.unreduced.clear();
    }
    for (std::size_t d = 0; d < type.dims.size(); ++d)
      if (!type.sharding.dims[d].empty()) {
        candidates.push_back(original);
        array_of(candidates.back(), i).sharding.dims[d].pop_back();
      }
  }
  // 4. The plainest dtype.
  if (inputs(copy.statement)[0]->dtype != Dtype::kF32) {
    candidates.push_back(original);
    for_each_array(candidates.back().statement, [](ArrayType& type) { type.dtype = Dtype::kF32; });
  }
  return candidates;
}

}  // namespace meshmul::testing
