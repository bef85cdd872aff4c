#pragma once
// The meaning of a schedule as a machine: which single events may happen next, and what each of them does. The
// reference executor takes random ones, the tests take all of them. Written from the event table of
// docs/schedule-ir.md.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"
#include "memory.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"
#include "words.hpp"

namespace meshmul {

/// An event that may happen next.
struct Choice {
  enum class Kind {
    kOp,     ///< the next op of a lane: happens as a whole, or starts if it is a put or get
    kPiece,  ///< one piece of a put or get is read, or written if it was read before
  };
  Kind kind = Kind::kOp;
  int rank = 0, lane = 0;       ///< kOp
  int transfer = 0, piece = 0;  ///< kPiece: index into Machine::transfers()
  bool operator==(const Choice&) const = default;
};

/// A put or get under way.
struct Transfer {
  struct Piece {
    Region dst, src;
    enum class State { kUnread, kRead, kWritten } state = State::kUnread;
    HostArray values;  ///< those that were read
  };
  /// Where an increment of one of its signals goes.
  struct Reserved {
    Raise raise;
    std::uint64_t place = 0;
  };
  OpPlace op;
  std::vector<Piece> pieces;
  std::vector<Reserved> raises;
};

/// All ranks of a schedule in the middle of a run. A copy is independent of its original.
class Machine {
 public:
  /// `schedule` must outlive the machine and be well formed.
  explicit Machine(const Schedule& schedule);

  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

  /// Every lane at its first op, every word at zero, all memory undefined that no input holds.
  void begin_run();

  /// Everything that may happen now. Empty at the end of a run and at a stall.
  std::vector<Choice> choices() const;
  /// Lets one of `choices()` happen. A put or get that starts is cut into at most `num_pieces` pieces.
  void take(const Choice& choice, LocalProductLibrary& products, int num_pieces);

  bool finished() const;
  /// `rank 0 lane compute stands at 'wait got >= 2' (line 31) with got at 1; …`: every lane that is not finished.
  std::string stall() const;

  const std::vector<Transfer>& transfers() const { return transfers_; }
  /// Ops of the lane that have happened or started.
  int position(int rank, int lane) const {
    return positions_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(lane)];
  }
  const Word& word(int rank, int signal) const { return words_[word_index(rank, signal)]; }

 private:
  std::size_t word_index(int rank, int signal) const {
    return static_cast<std::size_t>(rank) * schedule_->signals.size() + static_cast<std::size_t>(signal);
  }
  const Op* next_op(int rank, int lane) const;
  bool may_happen(int rank, const Op& op) const;
  void start_transfer(const OpPlace& place, const Op& op, int num_pieces);
  void advance(Transfer& transfer, Transfer::Piece& piece);
  void raise_all(Transfer& transfer, Event event);

  const Schedule* schedule_;
  Memory memory_;
  std::vector<Word> words_;
  std::vector<std::vector<int>> positions_;
  std::vector<Transfer> transfers_;
};

}  // namespace meshmul
