#pragma once
// Writes a schedule as a plain sequence of steps. Which lane a step stands in is said; which signals it raises and
// awaits is not: `finish` derives that from the memory that the steps touch.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "handshakes.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul {

inline constexpr std::string_view kComputeLane = "compute";
inline constexpr std::string_view kCopyLane0 = "copy0";
inline constexpr std::string_view kCopyLane1 = "copy1";
/// `copy0`, `copy1`, …
std::string copy_lane(int number);

/// The steps mean what they would mean one after the other. Steps on empty boxes move nothing and are left out; a gemm
/// is left out only if its output is empty.
class ScheduleBuilder {
 public:
  /// What a direct collective writes grows as the square of the ranks: about a million ops at this many.
  static constexpr int kMaxRanks = 1024;

  /// Throws Error(kInvalidArgument) for a mesh of more than kMaxRanks devices.
  explicit ScheduleBuilder(Mesh mesh);

  const Mesh& mesh() const { return schedule_.contract.mesh; }
  int num_ranks() const { return schedule_.num_ranks(); }
  const BufferDecl& buffer(int buffer) const { return schedule_.buffers[static_cast<std::size_t>(buffer)]; }

  /// The number of a buffer on every rank that nobody else has: a new one, or one that was released and is of the same
  /// dtype and shape, but perhaps longer along its first dimension. A name that is taken gets a number behind it.
  int add_buffer(const std::string& name, Dtype dtype, Shape shape);
  /// What comes next may have the memory of `buffer` for something else.
  void release(int buffer) { released_.push_back(buffer); }
  /// Every answer of `add_buffer`, in order.
  const std::vector<int>& added_buffers() const { return added_; }

  /// src.rank writes its `src` to `dst` at a peer.
  void put(std::string_view lane, const Region& dst, const Region& src);
  /// dst.rank reads `src` at a peer.
  void get(std::string_view lane, const Region& dst, const Region& src);

  // On the lane `compute` of dst.rank (c.rank). The sources may lie at peers.
  void copy(const Region& dst, const Region& src, std::vector<int> permutation = {});
  void reduce(const Region& dst, const Region& src, std::vector<int> permutation = {});
  void gemm(const Region& c, const Region& a, const Region& b, std::string einsum, bool accumulate = false);
  void zero(const Region& dst);
  void map(const Region& dst, MapFunction function, std::vector<Region> srcs, std::optional<int> along = {});

  /// What `steps` appends stands together: all that it needs of others is awaited ahead of the first of them. They are of one
  /// lane, and no puts or gets.
  void together(const std::function<void()>& steps);

  /// Any op in any lane; its signals are filled in by `finish`.
  void append(int rank, std::string_view lane, Op op);

  /// The schedule. A buffer is symmetric if it is part of `contract` or a peer touches it; it requires only what its
  /// ops use.
  Schedule finish(Contract contract);

 private:
  std::optional<int> take_released(Dtype dtype, const Shape& shape);

  Schedule schedule_;
  std::vector<LaneOp> steps_;
  std::vector<int> added_;
  std::vector<int> released_;
};

}  // namespace meshmul
