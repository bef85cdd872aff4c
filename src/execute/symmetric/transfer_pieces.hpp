#pragma once
// A copy in the middle of being made: cut into pieces, each of which is read at one moment and written at a later one.

#include <cstddef>
#include <vector>

#include "meshmul/host_array.hpp"
#include "meshmul/view.hpp"
#include "schedule/effects.hpp"

namespace meshmul {

class TransferPieces {
 public:
  /// At most `num_pieces`, along the longest dimension. The views have one shape and dtype, and what they show outlives
  /// this.
  TransferPieces(const View& dst, const ConstView& src, int num_pieces);

  /// kReadDone once all is read, kWriteVisible once all is written.
  Event reached() const;
  /// Of how many pieces one may be read or written next; none is left at kWriteVisible.
  int num_choices() const;
  /// Reads or writes one of them.
  void advance(int choice);

 private:
  struct Piece {
    View dst;
    ConstView src;
    Event reached = Event::kStart;
    HostArray values;  // those that were read
  };
  std::vector<Piece> pieces_;
};

}  // namespace meshmul
