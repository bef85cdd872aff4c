#pragma once
// The outputs of a run, put together from the regions in which its schedule leaves it.

#include <string>
#include <vector>

#include "meshmul/execute.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/schedule.hpp"
#include "progress.hpp"

namespace meshmul::cli {

/// A box of the output, with every region that holds it: for each partial sum (one, unless the output has {U_…}) the
/// replicas of it, in rank order.
struct OutputPiece {
  Box box;
  std::vector<std::vector<Region>> terms;
  bool is_slice = false;  ///< along the first dimension of the output, which the regions lack
};

/// An array that comes out. The pieces are the distinct boxes that are not empty, and together the whole array.
struct Output {
  ArrayType type;
  std::vector<OutputPiece> pieces;
};

/// `name` is that in the contract; without it, it is the type's.
Output find_output(const Schedule& schedule, const ArrayType& type, const std::string& name);
inline Output find_output(const Schedule& schedule, const ArrayType& type) {
  return find_output(schedule, type, type.name);
}
/// `names` are those of its slices along the first dimension, of which each comes out by itself.
Output find_output(const Schedule& schedule, const ArrayType& type, const std::vector<std::string>& names);

/// What one of the regions of `piece` holds of `box`, with the extents of that.
View view_of(const OutputPiece& piece, const Region& region, const Box& box, const Schedule& schedule,
             Session& session);

/// Whether all replicas have the same bits. Stops when interrupted.
bool replicas_agree(const Output& output, const Schedule& schedule, Session& session);

/// The elements of a piece, or of a box of it. Partial sums are added in rank order, in the accumulator dtype, and
/// rounded once.
HostArray read_piece(const OutputPiece& piece, const Box& box, const Schedule& schedule, Session& session);

/// Throws Error(kInvalidArgument) or Error(kMachine) if `location` cannot take the output, before anything has been
/// computed. Leaves nothing behind.
void require_writable(const std::string& location, const ArrayType& output);

/// Writes the output into a .npy or .safetensors file, in small parts; the file appears complete or not at all. Stops
/// when interrupted.
void save_output(const std::string& location, const Output& output, const Schedule& schedule, Session& session,
                 Progress& progress);

}  // namespace meshmul::cli
