#pragma once
// What is asked for: a product of two arrays, a change of sharding, or one named collective; and its text form.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {

/// `A[I_X, J] * B[J, K_Y] -> C[I_X, K_Y]`. Indices of both inputs that the output lacks are contracted; those in all
/// three are batch indices.
struct Product {
  ArrayType a, b, c;
  bool operator==(const Product&) const = default;
};

/// `A[I_X, J] -> A[I, J_X]`: the same indices in any order, another sharding.
struct Reshard {
  ArrayType from, to;
  bool operator==(const Reshard&) const = default;
};

enum class CollectiveKind { kAllGather, kReduceScatter, kAllReduce, kAllToAll };

/// `ReduceScatter_X,K(C[I, K]{U_X})`. `to` is what the collective returns.
struct Collective {
  CollectiveKind kind = CollectiveKind::kAllGather;
  std::vector<int> axes;   ///< in the order written
  std::optional<int> dim;  ///< the dimension that gains `axes`: ReduceScatter and AllToAll
  ArrayType from, to;
  bool operator==(const Collective&) const = default;
};

using Statement = std::variant<Product, Reshard, Collective>;

std::string_view name(CollectiveKind kind);

/// Reads one statement. Checks everything that does not need the sizes: names, indices, axes, dtypes, and that the
/// collective fits its array. A size written once is filled in at every occurrence of its index; a dtype that is
/// missing is that of the first array, else `default_dtype`, and the output's follows `product_dtype`. Throws
/// Error(kInvalidArgument) with the place of what is wrong.
Statement parse_statement(std::string_view text, const Mesh& mesh, Dtype default_dtype = Dtype::kF32);

/// The dtype that the text gives the first array; nothing if it leaves that to the default. Reads no further than that
/// array, and throws as `parse_statement` if it cannot be read.
std::optional<Dtype> written_dtype(std::string_view text, const Mesh& mesh);

/// Reads one array, `bf16 A[I=1024_X, J_Y]{U_Z}`.
ArrayType parse_array(std::string_view text, const Mesh& mesh);

/// The text that `parse_statement` reads back.
std::string to_string(const Statement& statement, const Mesh& mesh);

/// What a backward pass does for a collective on A, with a cotangent called dA. A cotangent of what the devices along an
/// axis hold alike is partial over that axis; where it is complete instead, the ReduceScatter for an AllGather becomes a
/// slice, and nothing is left of an AllReduce.
///
///     AllGather_X(A[I_X, J])           ReduceScatter_X,I(dA[I, J]{U_X})
///     ReduceScatter_X,J(A[I, J]{U_X})  AllGather_X(dA[I, J_X])
///     AllReduce_X(A[I, J]{U_X})        AllReduce_X(dA[I, J]{U_X})
///     AllToAll_X,J(A[I_X, J])          AllToAll_X,I(dA[I, J_X])
///
/// A change of sharding where no single collective has a name for it: the way back from several dimensions.
Statement transposed(const Collective& collective, const Mesh& mesh);

/// The input arrays in order, and the output.
std::vector<const ArrayType*> inputs(const Statement& statement);
std::vector<ArrayType*> inputs(Statement& statement);
const ArrayType& output(const Statement& statement);
ArrayType& output(Statement& statement);

/// Sets the size of `index` wherever it occurs. Throws Error(kInvalidArgument) if another size is already known.
void set_size(Statement& statement, std::string_view index, std::int64_t size);

/// Throws Error(kInvalidArgument) naming the first index without a size, or an array whose bytes overflow 2^62.
void check_sizes(const Statement& statement);

/// The roles of the indices of a product, each in the order of first occurrence.
struct IndexRoles {
  std::vector<std::string> batch;       ///< in a, b and c
  std::vector<std::string> left;        ///< in a and c
  std::vector<std::string> right;       ///< in b and c
  std::vector<std::string> contracted;  ///< in a and b, not in c
};
IndexRoles index_roles(const Product& product);

}  // namespace meshmul
