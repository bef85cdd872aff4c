#pragma once
// What an executor needs from the arithmetic of one rank: local products, and elementwise work on strided views.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/einsum.hpp"
#include "meshmul/schedule.hpp"
#include "view.hpp"

namespace meshmul {

/// The local products of one rank, on one thread. Not shared between threads: it owns scratch memory.
class LocalProductLibrary {
 public:
  virtual ~LocalProductLibrary() = default;

  /// What is printed: `OpenBLAS 0.3.21 (SkylakeX, one thread)`.
  virtual std::string description() const = 0;

  /// c = a * b (c += with `accumulate`). a and b have one dtype, sums are in its accumulator, rounded once into c's
  /// dtype. An empty contraction writes zeros (adds nothing). Never reads c without `accumulate`.
  virtual void gemm(View c, ConstView a, ConstView b, const Einsum& einsum, bool accumulate) = 0;
};

/// `reference` (plain loops, sums in index order), `openblas`, `onednn`; empty takes, per dtype, the fastest that is
/// right on this CPU. Throws Error(kInvalidArgument) for an unknown name, Error(kUnsupported) for one this CPU cannot
/// run.
std::unique_ptr<LocalProductLibrary> make_local_products(std::string_view name);

// Call copy, reduce, sum and map qualified: a View names std::byte, so that plain calls would find std::copy and std::reduce
// as well.

/// dst = src converted, dst dimension d = src dimension permutation[d] (empty: identity). Equal layouts are one memcpy,
/// or past the caches where they are large.
void copy(View dst, ConstView src, std::span<const int> permutation);

/// dst += src in the accumulator dtype of dst, rounded once.
void reduce(View dst, ConstView src, std::span<const int> permutation);

/// dst = the sum of `terms`, at least two of the shape and dtype of dst, none of which it overlaps: the same bits as a copy
/// of the first and one reduce after the other of the rest, but what lies in one piece is written once.
void sum(View dst, std::span<const ConstView> terms);

/// dst = function(srcs…), computed in the accumulator dtype of dst (gelu, gelu_tanh and silu of integers in f64, cut to
/// integers). A source may be dst itself. The second one may have no dimension, or with `along` one, which is dimension
/// `along` of dst: it counts for all elements of dst along the others.
void map(View dst, MapFunction function, std::span<const ConstView> srcs, std::optional<int> along = {});

}  // namespace meshmul
