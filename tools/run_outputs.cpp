#include "run_outputs.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "base/slices.hpp"
#include "execute/session_view.hpp"
#include "interrupt.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/array_file.hpp"

namespace meshmul::cli {
namespace {

/// The part of `region` that holds `part`, where all of it holds `whole`.
Region within(Region region, const Box& whole, const Box& part) {
  for (int d = 0; d < part.num_dims(); ++d) {
    const std::int64_t offset = region.box[d].begin - whole[d].begin;
    region.box[d] = {part[d].begin + offset, part[d].end + offset};
  }
  return region;
}

HostArray converted(const HostArray& array, Dtype dtype) {
  HostArray result(dtype, array.shape());
  meshmul::copy(result.view(), array.view(), {});
  return result;
}

HostArray bits_of(const OutputPiece& piece, const Region& region, const Box& box, const Schedule& schedule,
                  Session& session) {
  const ConstView view = view_of(piece, region, box, schedule, session);
  HostArray array(view.dtype, box.shape());
  meshmul::copy(array.view(), view, {});
  return array;
}

/// Where `schedule` leaves the array that its contract calls `name`, whose partial sums lie along `unreduced`.
std::vector<OutputPiece> pieces_of(const Schedule& schedule, const std::string& name,
                                   const std::vector<int>& unreduced) {
  const Mesh& mesh = schedule.contract.mesh;
  // By box in its text form: the boxes of one sharding are equal or disjoint.
  std::map<std::string, OutputPiece> found;
  for (const Holding& holding : schedule.contract.outputs) {
    if (holding.array != name || holding.global.empty()) continue;
    OutputPiece& piece = found[holding.global.str()];
    piece.box = holding.global;
    piece.terms.resize(static_cast<std::size_t>(mesh.size(unreduced)));
    piece.terms[static_cast<std::size_t>(mesh.group_index(holding.region.rank, unreduced))].push_back(holding.region);
  }
  std::vector<OutputPiece> pieces;
  for (auto& [text, piece] : found) pieces.push_back(std::move(piece));
  return pieces;
}

/// `box` in parts of some million elements, cut along its first dimension that is longer than 1: the work between two
/// looks at the interrupt flag.
std::vector<Box> parts_of(const Box& box) {
  constexpr std::int64_t kElementsPerPart = 1 << 22;
  int dim = 0;
  while (dim + 1 < box.num_dims() && box[dim].size() == 1) ++dim;
  if (box.num_dims() == 0) return {box};
  const std::int64_t elements_per_row = box.num_elements() / box[dim].size();
  const std::int64_t rows = std::max<std::int64_t>(1, kElementsPerPart / elements_per_row);
  std::vector<Box> parts;
  for (std::int64_t begin = box[dim].begin; begin < box[dim].end; begin += rows) {
    parts.push_back(box);
    parts.back()[dim] = {begin, std::min(begin + rows, box[dim].end)};
  }
  return parts;
}

}  // namespace

Output find_output(const Schedule& schedule, const ArrayType& type, const std::string& name) {
  return {type, pieces_of(schedule, name, type.sharding.unreduced)};
}

Output find_output(const Schedule& schedule, const ArrayType& type, const std::vector<std::string>& names) {
  Output output{type, {}};
  for (std::size_t slice = 0; slice < names.size(); ++slice)
    for (OutputPiece& piece : pieces_of(schedule, names[slice], type.sharding.unreduced))
      output.pieces.push_back(
          {in_whole_array(static_cast<std::int64_t>(slice), piece.box), std::move(piece.terms), true});
  return output;
}

View view_of(const OutputPiece& piece, const Region& region, const Box& box, const Schedule& schedule,
             Session& session) {
  if (!piece.is_slice) return view_of(session, schedule, within(region, piece.box, box));
  const Region part = within(region, without_first_dim(piece.box), without_first_dim(box));
  return behind_first_dim(view_of(session, schedule, part));
}

bool replicas_agree(const Output& output, const Schedule& schedule, Session& session) {
  for (const OutputPiece& piece : output.pieces)
    for (const std::vector<Region>& replicas : piece.terms)
      for (const Box& part : parts_of(piece.box)) {
        if (replicas.size() == 1) break;
        stop_if_interrupted();
        const HostArray first = bits_of(piece, replicas.front(), part, schedule, session);
        for (std::size_t other = 1; other < replicas.size(); ++other)
          if (bits_of(piece, replicas[other], part, schedule, session) != first) return false;
      }
  return true;
}

HostArray read_piece(const OutputPiece& piece, const Box& box, const Schedule& schedule, Session& session) {
  HostArray sum = bits_of(piece, piece.terms.front().front(), box, schedule, session);
  if (piece.terms.size() == 1) return sum;
  const Dtype dtype = sum.dtype();
  sum = converted(sum, accumulator_of(dtype));
  for (std::size_t term = 1; term < piece.terms.size(); ++term)
    meshmul::reduce(sum.view(), view_of(piece, piece.terms[term].front(), box, schedule, session), {});
  return converted(sum, dtype);
}

void require_writable(const std::string& location, const ArrayType& output) {
  const ArrayWriter removed_when_it_ends(location, output.dtype, global_shape(output), output.name);
}

void save_output(const std::string& location, const Output& output, const Schedule& schedule, Session& session,
                 Progress& progress) {
  const ArrayType& type = output.type;
  ArrayWriter writer(location, type.dtype, global_shape(type), type.name);
  progress.begin("writing " + location, Box::whole(global_shape(type)).num_elements());
  for (const OutputPiece& piece : output.pieces)
    for (const Box& part : parts_of(piece.box)) {
      stop_if_interrupted();
      writer.write_box(part, read_piece(piece, part, schedule, session).view());
      progress.advance(part.num_elements());
    }
  progress.end();
  writer.commit();
}

}  // namespace meshmul::cli
