#pragma once
// Several statements that hang together: products, elementwise functions, loops over layers, gradients. The text form,
// a `.mm` file, is defined in docs/notation.md.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/error.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {

/// A number of Program::values.
using ValueId = int;

enum class ValueKind {
  kGiven,    ///< declared: an input of the program; or the cotangent that a grad statement takes
  kMade,     ///< the result of a statement
  kCarried,  ///< what a carried array is at the beginning of a pass, and after the loop
  kStacked,  ///< what a loop has kept from every pass
};

/// Part of Program::text.
struct TextSpan {
  std::size_t offset = 0;
  std::size_t length = 0;
};

/// What a name stands for between two assignments: every assignment makes a value, and nothing changes one.
struct Value {
  /// `type.name` is the name in the text, which several values may share. Every dimension has an index. `type.open`:
  /// nobody wrote the sharding, so that it is the planner's.
  ArrayType type;
  ValueKind kind = ValueKind::kGiven;
  /// Its dimensions are cut as those of that value, index by index; an index that it lacks is not cut; and {U_…} is the
  /// same. If that value is open, then so is this one, and one choice is made for both. Always an earlier value.
  std::optional<ValueId> like = {};
  /// The name of the stored tensor that a given array is read from. A word in braces (`layers.{l}.up`) stands for the
  /// number of the slice along the first dimension, from 0: there is a tensor for each. Empty: `type.name`.
  std::string tensor = {};
  /// The gradient with respect to another value. If it is open, partial sums may be left in it too.
  bool is_cotangent = false;
  TextSpan place = {};  ///< where its name stands; does not count in comparisons

  bool operator==(const Value& other) const {
    return type == other.type && kind == other.kind && like == other.like && tensor == other.tensor &&
           is_cotangent == other.is_cotangent;
  }
};

/// A value, given or stacked if `sliced`; or with that the part of it that belongs to the pass at hand: at pass l of a
/// loop over L, `W[l]` is the l-th slice along the first dimension of W, which is L and which no mesh axis cuts.
struct Use {
  ValueId value = 0;
  bool sliced = false;
  bool operator==(const Use&) const = default;
};

/// `H = X * W` or `H = gelu(X * W)`: the indices of both inputs that the result lacks are contracted. The function is
/// one that reads one array, and is applied to complete sums, rounded to the dtype that the product returns.
struct ProductStatement {
  Use a, b;
  std::optional<MapFunction> function;
  ValueId result = 0;
  bool operator==(const ProductStatement&) const = default;
};

/// `H = mul(S, V)`: elementwise. All sources have the indices of the result in its order, with two exceptions. The
/// second source of bias and scale has at most one index, one of the first source's, and counts for all elements along
/// the others. The result of convert may have another order of dimensions and another dtype; with the same dtype it is a
/// change of sharding.
struct MapStatement {
  MapFunction function = MapFunction::kAdd;
  std::vector<Use> sources;
  ValueId result = 0;
  bool operator==(const MapStatement&) const = default;
};

/// `grad Y(dY) -> dX, dW`: the gradients of sum(Y * dY). `results[i]` has dtype, dimensions and sharding (by `like`) of
/// the given array `with_respect_to[i]`, on which `of` depends. Stands outside of loops.
struct GradStatement {
  ValueId of = 0;
  ValueId cotangent = 0;  ///< has dtype and dimensions of `of`
  std::vector<ValueId> with_respect_to;
  std::vector<ValueId> results;
  bool operator==(const GradStatement&) const = default;
};

using ProgramStatement = std::variant<ProductStatement, MapStatement, GradStatement>;

/// An array that a loop hands from pass to pass. The four values have one dtype and the same dimensions.
///   - The first pass begins with `before`, every other with the `end` of the pass before it; either is moved to where
///     `begin` lies.
///   - `begin` is open, and the planner's, unless `end` is like it (at once or through others): then it is like `before`.
///   - `after` is like `end`.
struct Carry {
  ValueId before = 0;
  ValueId begin = 0;
  ValueId end = 0;
  ValueId after = 0;
  bool operator==(const Carry&) const = default;
};

/// What a loop over L keeps from every pass: `slice`, made in the body or carried into it, becomes the l-th slice of
/// `whole`, along a new first dimension L. `whole` lies like `slice`, and later loops over L alone read it, by slices.
struct Stack {
  ValueId slice = 0;
  ValueId whole = 0;
  bool operator==(const Stack&) const = default;
};

/// `repeat L as l { … }`: the body for l = 0, …, L-1. What the body makes and neither carries nor stacks is known inside
/// alone. Stacks and reversed loops come with gradients (`differentiate`), and have no text that could be read back.
struct Repeat {
  std::string index;                   ///< L
  std::string variable;                ///< l
  std::int64_t count = kUnknownSize;   ///< the size of L, at least 1
  std::vector<Carry> carries;          ///< in the order in which the body first makes them
  std::vector<ProgramStatement> body;  ///< products and elementwise functions
  std::vector<Stack> stacks = {};
  bool reversed = false;  ///< l goes from L-1 down to 0
  bool operator==(const Repeat&) const = default;
};

using ProgramItem = std::variant<ProgramStatement, Repeat>;

struct Program {
  /// Declared arrays in the order of the text, then every other value after those that it is made from.
  std::vector<Value> values;
  std::vector<ProgramItem> items;
  /// What it returns, if that is not what nothing reads: gradients read what is returned all the same.
  std::optional<std::vector<ValueId>> returned = {};
  std::string text;  ///< that it was read from, or empty; does not count in comparisons

  const Value& value(ValueId id) const { return values[static_cast<std::size_t>(id)]; }
  Value& value(ValueId id) { return values[static_cast<std::size_t>(id)]; }
  bool operator==(const Program& other) const {
    return values == other.values && items == other.items && returned == other.returned;
  }
};

/// Reads a program. Checks everything that does not need the sizes, and fills in what the text leaves out: dtypes (those
/// of the first array, else `default_dtype`; of results what their statement returns), dimensions of results, sizes of
/// indices, shardings by `like`. Throws Error(kInvalidArgument) with the place of what is wrong.
Program parse_program(std::string_view text, const Mesh& mesh, Dtype default_dtype = Dtype::kF32);

/// The canonical text, which `parse_program` reads back: declarations first, then one line a statement.
std::string to_string(const Program& program, const Mesh& mesh);

/// What one statement reads, in order. A grad statement reads its cotangent; not `of`, which stays a result.
std::vector<Use> uses(const ProgramStatement& statement);
/// What one statement makes, in order.
std::vector<ValueId> results(const ProgramStatement& statement);

/// The declared arrays, in the order of the text, then the cotangents that only a grad statement names.
std::vector<ValueId> inputs(const Program& program);
/// What running the program returns: `returned`, or else the values that nothing reads, in the order in which they are
/// made. What a loop leaves is none if its last pass has read it. A grad statement does not read the array that it is
/// about.
std::vector<ValueId> outputs(const Program& program);

/// The type of what is used: without the first dimension if it is sliced.
ArrayType type_of(const Program& program, const Use& use);

/// The product of a statement. Its output has the indices, order and sharding of the result; but the dtype that the
/// product returns, which is not that of the result if the function is convert.
Product product_of(const Program& program, const ProductStatement& statement);

/// Where the name of a value stands, if the program was read from a text.
std::optional<TextPlace> place_of(const Program& program, ValueId id);

/// As for statements, over all values and loops: an index has one size in the whole program. `check_sizes` also refuses
/// loops without a pass.
void set_size(Program& program, std::string_view index, std::int64_t size);
void check_sizes(const Program& program);

/// The program of one product or change of sharding (a `convert` to the same dtype). Nothing for a collective, and where
/// a dimension has no index.
std::optional<Program> to_program(const Statement& statement);
/// The product (without a function) or change of sharding that the program consists of. Nothing if it is another
/// program.
std::optional<Statement> to_statement(const Program& program);

}  // namespace meshmul
