#pragma once
// The symbolic value of a buffer: which of its boxes hold which elements of which tensor, with which terms.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "meshmul/box.hpp"
#include "terms.hpp"

namespace meshmul::verification {

/// Instead of a tensor: zeros, which are no term of whatever they become part of.
inline constexpr int kZeros = -1;
/// Instead of a tensor: a value about which something was found already; it is not reported again.
inline constexpr int kFaulty = -2;
/// Instead of a tensor: ones, which are complete. A product with them is a sum over indices of the other factor, and is
/// the same whichever of them are taken.
inline constexpr int kOnes = -3;

/// Which elements of which tensor the elements of a box of a buffer are: dimension d of the buffer is dimension dims[d]
/// of the tensor, whose coordinate there is the one in the buffer plus offsets[d]. All zero where there is no
/// tensor.
struct Placement {
  int tensor = kZeros;
  std::array<std::int8_t, kMaxDims> dims{};
  std::array<std::int64_t, kMaxDims> offsets{};
  bool operator==(const Placement&) const = default;
};

/// A box of a buffer, all of whose elements have the same placement and the same terms.
struct Piece {
  Box box;
  Placement placement;
  int terms = TermSets::kNone;
};

/// The sum of two pieces on a common box; nothing if they are other elements, or have a term in common. What a faulty
/// value is added to becomes faulty.
std::optional<Piece> sum(const Piece& a, const Piece& b, TermSets& terms);

/// The box of the tensor that `piece` holds.
Box tensor_box(const Piece& piece);

/// `piece`, a part of `src`, where a copy to `dst` puts it. The permutation is that of Copy.
Piece moved(const Piece& piece, const Box& src, const Box& dst, std::span<const int> permutation);

/// Disjoint pieces; whatever none of them covers is undefined.
class Value {
 public:
  const std::vector<Piece>& pieces() const { return pieces_; }

  /// The part inside of `box`.
  Value within(const Box& box) const;
  /// A part of `box` that is undefined, if there is any.
  std::optional<Box> undefined_part(const Box& box) const;

  /// Replaces what was in `box` by `value`, which lies inside of it.
  void assign(const Box& box, const Value& value);
  /// Replaces what was in the box of `piece`.
  void assign(const Piece& piece);

  /// Two pieces that cannot be added on a common box.
  struct Clash {
    Piece before;
    Piece added;
  };
  /// Adds `piece` to what is there by `add_up`; its box is defined. On a clash, where that returns nothing, the pair is
  /// returned and the value is left half changed.
  using Sum = std::function<std::optional<Piece>(const Piece&, const Piece&)>;
  std::optional<Clash> add(const Piece& piece, const Sum& add_up);

 private:
  // Takes a piece out. The order of pieces means nothing.
  Piece take(std::size_t index);
  // Makes `box` undefined.
  void cut_out(const Box& box);
  // Puts back what lies outside of `box`.
  void keep_rest(const Piece& piece, const Box& box);
  // Adds a piece where nothing is, joined with its neighbours where they are alike: a gathered array is one piece.
  void insert(Piece piece);

  std::vector<Piece> pieces_;
};

}  // namespace meshmul::verification
