#include "delayed_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshmul {

// Everything below is done by the rank whose turn it is, so that memory is never touched by two at once, however wrong the
// program is. The others sleep in `await_turn`.

DelayedFabric::DelayedFabric(RunControl& control, std::uint64_t seed)
    : control_(control), adversary_(seed), ranks_(static_cast<std::size_t>(control.memory().num_ranks())) {
  turn_ = let_things_happen().value_or(kNobody);
}

void DelayedFabric::begin(int rank) {
  Lock lock(mutex_);
  await_turn(lock, rank);
}

void DelayedFabric::finish(int rank) {
  Lock lock(mutex_);
  turn_of(rank).ready = [this, rank] {
    return std::ranges::none_of(pending_, [rank](const Pending& transfer) { return transfer.rank == rank; });
  };
  give_turn(lock, rank);
  turn_of(rank).ended = true;
  control_.note_end(rank);
  give_turn(lock, rank);
}

void DelayedFabric::abandon(int rank) {
  const Lock lock(mutex_);
  turn_of(rank).ended = true;
}

void DelayedFabric::stop() {
  const Lock lock(mutex_);  // nobody is between its look at the stop and its sleep
  turned_.notify_all();
}

void DelayedFabric::step(int rank) {
  control_.begin_operation(rank);
  Lock lock(mutex_);
  give_turn(lock, rank);
}

std::uint64_t DelayedFabric::start(int rank, const TransferOrder& order) {
  step(rank);
  const Lock lock(mutex_);
  std::vector<Event>& transfers = turn_of(rank).transfers;
  const std::uint64_t number = transfers.size();
  transfers.push_back(Event::kStart);
  Promise* promised = order.raise ? promise(*order.raise, false) : nullptr;
  pending_.push_back({rank, number, order, TransferPieces(order.dst, order.src, adversary_.num_pieces()), promised});
  return number;
}

void DelayedFabric::wait_for(int rank, std::uint64_t transfer, Event event) {
  control_.begin_operation(rank);
  Lock lock(mutex_);
  turn_of(rank).ready = [this, rank, transfer, event] { return reached(rank, transfer, event); };
  give_turn(lock, rank);
}

void DelayedFabric::raise(int rank, const WordRaise& raise) {
  step(rank);
  const Lock lock(mutex_);
  promise(raise, true);
  show(raise);
}

void DelayedFabric::wait_for(int rank, const SignalWait& wait) {
  control_.begin_operation(rank);
  Lock lock(mutex_);
  control_.note_wait(rank, wait);
  turn_of(rank).ready = [wait] { return wait.passes(); };
  give_turn(lock, rank);
  control_.note_go(rank);
}

// Gives the turn to whoever the adversary wants next, and returns when it comes back, unless the rank has ended.
void DelayedFabric::give_turn(Lock& lock, int rank) {
  if (control_.is_stopped()) throw RunStopped{};
  turn_ = let_things_happen().value_or(kNobody);
  if (turn_ == kNobody && !std::ranges::all_of(ranks_, &RankTurn::ended)) {
    stall_ = Error(ErrorCode::kRankFailed, "no rank can go on: " + control_.describe_stall());
    control_.memory().world().stop.store(true);
    control_.memory().world().controller.ring();
  }
  turned_.notify_all();
  if (!turn_of(rank).ended) await_turn(lock, rank);
}

void DelayedFabric::await_turn(Lock& lock, int rank) {
  turned_.wait(lock, [&] { return turn_ == rank || control_.is_stopped(); });
  if (control_.is_stopped()) throw RunStopped{};
  turn_of(rank).ready = nullptr;
}

// Until a rank is chosen, which is returned; nothing if nothing can happen.
std::optional<int> DelayedFabric::let_things_happen() {
  constexpr int kNoLane = -1;
  while (true) {
    std::vector<Actor> actors;
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
      const RankTurn& turn = turn_of(rank);
      if (!turn.ended && (!turn.ready || turn.ready())) actors.push_back({rank, kNoLane, Actor::kNoTransfer});
    }
    const std::size_t num_ranks = actors.size();
    std::vector<std::list<Pending>::iterator> transfers;
    for (auto transfer = pending_.begin(); transfer != pending_.end(); ++transfer) {
      if (transfer->order.after && !reached(transfer->rank, *transfer->order.after, Event::kWriteVisible)) continue;
      transfers.push_back(transfer);
      actors.push_back({transfer->rank, 0, static_cast<int>(transfer->number)});
    }
    if (actors.empty()) return std::nullopt;
    const std::size_t chosen = adversary_.choose(actors);
    if (chosen < num_ranks) return actors[chosen].rank;
    advance(transfers[chosen - num_ranks]);
  }
}

void DelayedFabric::advance(std::list<Pending>::iterator transfer) {
  const Event before = transfer->pieces.reached();
  transfer->pieces.advance(adversary_.below(transfer->pieces.num_choices()));
  const Event now = transfer->pieces.reached();
  if (now == before) return;
  turn_of(transfer->rank).transfers[transfer->number] = now;
  if (transfer->promise != nullptr && now == transfer->order.at) {
    transfer->promise->happened = true;
    show(*transfer->order.raise);
  }
  if (now == Event::kWriteVisible) pending_.erase(transfer);
}

DelayedFabric::Promise* DelayedFabric::promise(const WordRaise& raise, bool happened) {
  std::deque<Promise>& promises = promises_[raise.word];
  promises.push_back({raise.value, happened});
  return &promises.back();
}

void DelayedFabric::show(const WordRaise& raise) {
  std::deque<Promise>& promises = promises_[raise.word];
  for (; !promises.empty() && promises.front().happened; promises.pop_front())
    control_.write(*raise.word, raise.owner, promises.front().value);
}

bool DelayedFabric::reached(int rank, std::uint64_t transfer, Event event) {
  return turn_of(rank).transfers[transfer] >= event;
}

}  // namespace meshmul
