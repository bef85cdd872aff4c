#include "machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "perform.hpp"

namespace meshmul {
namespace {

/// The dimension with most elements; 0 for a box without dimensions.
int longest_dim(const Box& box) {
  int longest = 0;
  for (int d = 1; d < box.num_dims(); ++d)
    if (box[d].size() > box[longest].size()) longest = d;
  return longest;
}

/// Part `index` of `count` along dimension `dim`.
Box part_of(Box box, int dim, std::int64_t index, std::int64_t count) {
  if (box.num_dims() == 0) return box;
  const Interval whole = box[dim];
  box[dim] = {whole.begin + whole.size() * index / count, whole.begin + whole.size() * (index + 1) / count};
  return box;
}

/// Corresponding parts of equal boxes. An empty box is one piece, which touches nothing.
std::vector<Transfer::Piece> cut_into_pieces(const Region& dst, const Region& src, int num_pieces) {
  const int dim = longest_dim(src.box);
  const std::int64_t longest = src.box.num_dims() == 0 ? 1 : src.box[dim].size();
  const std::int64_t count = src.box.empty() ? 1 : std::min<std::int64_t>(num_pieces, longest);
  std::vector<Transfer::Piece> pieces(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    Transfer::Piece& piece = pieces[static_cast<std::size_t>(i)];
    piece.dst = {dst.rank, dst.buffer, part_of(dst.box, dim, i, count)};
    piece.src = {src.rank, src.buffer, part_of(src.box, dim, i, count)};
  }
  return pieces;
}

bool all_at_least(const std::vector<Transfer::Piece>& pieces, Transfer::Piece::State state) {
  return std::ranges::all_of(pieces, [&](const Transfer::Piece& piece) { return piece.state >= state; });
}

}  // namespace

Machine::Machine(const Schedule& schedule) : schedule_(&schedule), memory_(schedule) { begin_run(); }

void Machine::begin_run() {
  words_.assign(schedule_->ranks.size() * schedule_->signals.size(), {});
  transfers_.clear();
  positions_.clear();
  for (const RankProgram& rank : schedule_->ranks) positions_.emplace_back(rank.lanes.size(), 0);
  poison_undefined(*schedule_, memory_);
}

const Op* Machine::next_op(int rank, int lane) const {
  const std::vector<Op>& ops =
      schedule_->ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)].ops;
  const auto position = static_cast<std::size_t>(this->position(rank, lane));
  return position < ops.size() ? &ops[position] : nullptr;
}

bool Machine::may_happen(int rank, const Op& op) const {
  const auto* wait = std::get_if<Wait>(&op);
  return wait == nullptr || word(rank, wait->signal).value() >= wait->threshold;
}

std::vector<Choice> Machine::choices() const {
  std::vector<Choice> found;
  for (int rank = 0; rank < schedule_->num_ranks(); ++rank)
    for (int lane = 0; lane < static_cast<int>(positions_[static_cast<std::size_t>(rank)].size()); ++lane) {
      const Op* op = next_op(rank, lane);
      if (op != nullptr && may_happen(rank, *op)) found.push_back({Choice::Kind::kOp, rank, lane, 0, 0});
    }
  for (std::size_t t = 0; t < transfers_.size(); ++t)
    for (std::size_t p = 0; p < transfers_[t].pieces.size(); ++p)
      if (transfers_[t].pieces[p].state != Transfer::Piece::State::kWritten)
        found.push_back({Choice::Kind::kPiece, 0, 0, static_cast<int>(t), static_cast<int>(p)});
  return found;
}

void Machine::take(const Choice& choice, LocalProductLibrary& products, int num_pieces) {
  if (choice.kind == Choice::Kind::kPiece) {
    Transfer& transfer = transfers_[static_cast<std::size_t>(choice.transfer)];
    advance(transfer, transfer.pieces[static_cast<std::size_t>(choice.piece)]);
    if (all_at_least(transfer.pieces, Transfer::Piece::State::kWritten))
      transfers_.erase(transfers_.begin() + choice.transfer);
    return;
  }
  const Op& op = *next_op(choice.rank, choice.lane);
  int& position = positions_[static_cast<std::size_t>(choice.rank)][static_cast<std::size_t>(choice.lane)];
  const Effects effects = effects_of(op, choice.rank);
  if (effects.asynchronous) {
    start_transfer({choice.rank, choice.lane, position}, op, num_pieces);
  } else {
    perform(op, *schedule_, memory_, products);
    for (const Raise& raise : effects.raises) {
      Word& word = words_[word_index(raise.rank, raise.signal)];
      word.raise(word.reserve());
    }
  }
  ++position;
}

void Machine::start_transfer(const OpPlace& place, const Op& op, int num_pieces) {
  const auto* put = std::get_if<Put>(&op);
  const auto* get = std::get_if<Get>(&op);
  assert(put != nullptr || get != nullptr);
  Transfer transfer{place, {}, {}};
  transfer.pieces = put != nullptr ? cut_into_pieces(put->dst, put->src, num_pieces)
                                   : cut_into_pieces(get->dst, get->src, num_pieces);
  for (const Raise& raise : effects_of(op, place.rank).raises)
    transfer.raises.push_back({raise, words_[word_index(raise.rank, raise.signal)].reserve()});
  transfers_.push_back(std::move(transfer));
}

void Machine::advance(Transfer& transfer, Transfer::Piece& piece) {
  using State = Transfer::Piece::State;
  const bool empty = piece.src.box.empty();
  if (piece.state == State::kUnread) {
    const ConstView src = memory_.view(*schedule_, piece.src);
    if (!empty) {
      piece.values = HostArray(src.dtype, piece.src.box.shape());
      meshmul::copy(piece.values.view(), src, {});
    }
    piece.state = State::kRead;
    if (all_at_least(transfer.pieces, State::kRead)) raise_all(transfer, Event::kReadDone);
  } else {
    if (!empty) meshmul::copy(memory_.view(*schedule_, piece.dst), std::as_const(piece.values).view(), {});
    piece.state = State::kWritten;
    if (all_at_least(transfer.pieces, State::kWritten)) raise_all(transfer, Event::kWriteVisible);
  }
}

void Machine::raise_all(Transfer& transfer, Event event) {
  for (const Transfer::Reserved& reserved : transfer.raises)
    if (reserved.raise.event == event)
      words_[word_index(reserved.raise.rank, reserved.raise.signal)].raise(reserved.place);
}

bool Machine::finished() const {
  for (int rank = 0; rank < schedule_->num_ranks(); ++rank)
    for (int lane = 0; lane < static_cast<int>(positions_[static_cast<std::size_t>(rank)].size()); ++lane)
      if (next_op(rank, lane) != nullptr) return false;
  return transfers_.empty();
}

std::string Machine::stall() const {
  std::string lanes;
  for (int rank = 0; rank < schedule_->num_ranks(); ++rank)
    for (int lane = 0; lane < static_cast<int>(positions_[static_cast<std::size_t>(rank)].size()); ++lane) {
      const Op* op = next_op(rank, lane);
      const auto* wait = op == nullptr ? nullptr : std::get_if<Wait>(op);
      if (wait == nullptr) continue;
      lanes += fmt::format("{}rank {} lane {} stands at '{}' (line {}) with {} at {}", lanes.empty() ? "" : "; ", rank,
                           schedule_->ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)].name,
                           to_string(*schedule_, rank, *op), line_of(*schedule_, {rank, lane, position(rank, lane)}),
                           schedule_->signals[static_cast<std::size_t>(wait->signal)].name,
                           word(rank, wait->signal).value());
    }
  return lanes;
}

}  // namespace meshmul
