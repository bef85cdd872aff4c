#pragma once
// Random meshes and legal statements over them, for rapidcheck.

#include <rapidcheck.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/statement.hpp"
#include "notation/collective_type.hpp"

namespace meshmul::testing {

struct StatementCase {
  Mesh mesh;
  Statement statement;
};

inline void showValue(const StatementCase& c, std::ostream& os) {
  os << "over " << c.mesh.str() << ": " << to_string(c.statement, c.mesh);
}

enum class Sizes { kSomeUnknown, kAllKnown };

/// Draws the parts of a statement; only to be used inside rc::gen::exec.
class RandomStatement {
 public:
  explicit RandomStatement(Sizes sizes) : sizes_(sizes), mesh_(mesh()) {}

  StatementCase make() {
    switch (pick(0, 3)) {
      case 0: return make_product();
      case 1: return make_reshard();
      default: return make_collective();
    }
  }

  StatementCase make_product() { return {mesh_, product()}; }
  StatementCase make_reshard() { return {mesh_, reshard()}; }

  /// A collective, or a change of sharding where the array that was drawn allows no collective.
  StatementCase make_collective() {
    std::optional<Collective> drawn = collective();
    if (drawn) return {mesh_, *std::move(drawn)};
    return make_reshard();
  }

 private:
  /// From `low` to `high`, both included.
  static int pick(int low, int high) { return *rc::gen::inRange(low, high + 1); }
  static bool coin() { return pick(0, 1) == 1; }

  template <class T>
  static void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[static_cast<std::size_t>(pick(0, static_cast<int>(i) - 1))]);
  }

  template <class T>
  static std::vector<T> sample(std::vector<T> pool, int count) {
    shuffle(pool);
    pool.resize(static_cast<std::size_t>(count));
    return pool;
  }

  static Mesh mesh() {
    std::vector<MeshAxis> axes;
    for (const std::string& name : sample<std::string>({"X", "Y", "q", "data", "XY", "x1"}, pick(0, 4)))
      axes.push_back({name, pick(1, 4)});
    return Mesh(axes);
  }

  std::vector<Dim> dims(const std::vector<std::string>& indices) const {
    std::vector<Dim> dims;
    for (const std::string& index : indices)
      dims.push_back({index, sizes_ == Sizes::kSomeUnknown && coin() ? kUnknownSize : pick(0, 40)});
    return dims;
  }

  Sharding sharding(int num_dims) const {
    Sharding sharding = Sharding::replicated(num_dims);
    for (int axis = 0; axis < mesh_.num_axes(); ++axis) {
      const int dim = pick(-2, num_dims - 1);
      if (dim == -1) sharding.unreduced.push_back(axis);
      if (dim < 0) continue;
      std::vector<int>& axes = sharding.dims[static_cast<std::size_t>(dim)];
      axes.insert(axes.begin() + pick(0, static_cast<int>(axes.size())), axis);
    }
    return sharding;
  }

  ArrayType array(const std::string& name, Dtype dtype, std::vector<Dim> dims) const {
    ArrayType type{name, dtype, std::move(dims), {}, false};
    type.sharding = sharding(type.num_dims());
    type.open = type.sharding == Sharding::replicated(type.num_dims()) && coin();
    return type;
  }

  static std::vector<std::string> names(int count) { return sample<std::string>({"A", "B", "C", "W1", "half"}, count); }
  static std::vector<std::string> indices(int count) {
    return sample<std::string>({"I", "J", "K", "L", "row", "X", "U", "b2"}, count);
  }
  static Dtype dtype() { return kAllDtypes[pick(0, static_cast<int>(std::size(kAllDtypes)) - 1)]; }

  /// Each index gets a role: batch, left, right, contracted.
  Product product() const {
    std::vector<Dim> a, b, c;
    for (const Dim& dim : dims(indices(pick(0, 6)))) {
      const int role = pick(0, 3);
      if (role != 2) a.push_back(dim);
      if (role != 1) b.push_back(dim);
      if (role != 3) c.push_back(dim);
    }
    for (std::vector<Dim>* dims : {&a, &b, &c}) shuffle(*dims);
    const std::vector<std::string> name = names(3);
    const Dtype in = dtype();
    return {array(name[0], in, a), array(name[1], in, b), array(name[2], product_dtype(in), c)};
  }

  Reshard reshard() const {
    std::vector<Dim> from = dims(indices(pick(0, 4)));
    std::vector<Dim> to = from;
    shuffle(to);
    const std::string name = names(1)[0];
    const Dtype type = dtype();
    return {array(name, type, from), array(name, type, to)};
  }

  /// Some minor axes of every dimension but `target`.
  static std::vector<int> minor_axes(const ArrayType& type, std::optional<int> target) {
    std::vector<int> axes;
    for (int dim = 0; dim < type.num_dims(); ++dim) {
      if (dim == target) continue;
      const std::vector<int>& dim_axes = type.sharding.dims[static_cast<std::size_t>(dim)];
      axes.insert(axes.end(), dim_axes.end() - pick(0, static_cast<int>(dim_axes.size())), dim_axes.end());
    }
    return axes;
  }

  std::optional<Collective> collective() const {
    Collective c;
    c.kind = static_cast<CollectiveKind>(pick(0, 3));
    c.from = array(names(1)[0], dtype(), dims(indices(pick(0, 4))));
    const bool has_target = c.kind == CollectiveKind::kReduceScatter || c.kind == CollectiveKind::kAllToAll;
    if (has_target && c.from.num_dims() == 0) return std::nullopt;
    if (has_target) c.dim = pick(0, c.from.num_dims() - 1);
    const bool gathers = c.kind == CollectiveKind::kAllGather || c.kind == CollectiveKind::kAllToAll;
    const std::vector<int>& partial = c.from.sharding.unreduced;
    c.axes = gathers ? minor_axes(c.from, c.dim) : sample(partial, pick(0, static_cast<int>(partial.size())));
    if (c.axes.empty()) return std::nullopt;
    shuffle(c.axes);
    // Dimensions that have a size may be without an index, but for the one that the collective names.
    for (int dim = 0; dim < c.from.num_dims(); ++dim)
      if (Dim& d = c.from.dims[static_cast<std::size_t>(dim)]; dim != c.dim && d.size != kUnknownSize && coin())
        d.index.clear();
    c.to = notation::collective_result(c.kind, c.axes, c.dim, c.from);
    return c;
  }

  Sizes sizes_;
  Mesh mesh_;
};

inline rc::Gen<StatementCase> any_statement() {
  return rc::gen::exec([] { return RandomStatement(Sizes::kSomeUnknown).make(); });
}

/// All sizes known.
inline rc::Gen<StatementCase> any_sized_statement() {
  return rc::gen::exec([] { return RandomStatement(Sizes::kAllKnown).make(); });
}

inline rc::Gen<StatementCase> any_sized_product() {
  return rc::gen::exec([] { return RandomStatement(Sizes::kAllKnown).make_product(); });
}
inline rc::Gen<StatementCase> any_sized_reshard() {
  return rc::gen::exec([] { return RandomStatement(Sizes::kAllKnown).make_reshard(); });
}

/// Mostly collectives, all sizes known.
inline rc::Gen<StatementCase> any_collective() {
  return rc::gen::exec([] { return RandomStatement(Sizes::kAllKnown).make_collective(); });
}

}  // namespace meshmul::testing
