#pragma once
// Runs a tiny schedule in every order of its events, state by state, and collects how the orders end.

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contract_values.hpp"
#include "event_order.hpp"
#include "execute/reference/machine.hpp"

namespace meshmul::testing {

/// How orders are left out that cannot end otherwise than one that is tried.
enum class Pruning {
  kNone,         ///< all orders, once per state
  kIndependent,  ///< an event that races with no other happens at once: all orders with it commute
};

struct Exploration {
  bool some_finish = false;
  bool some_stall = false;
  bool some_right = false;  ///< of those that finish
  bool some_wrong = false;
  bool races = false;            ///< two events that touch the same memory were possible at one moment
  std::size_t num_outcomes = 0;  ///< different final memories of the outputs
  std::size_t num_states = 0;
};

class Explorer {
 public:
  static constexpr std::size_t kMostStates = 400'000;

  explicit Explorer(const Schedule& schedule, int num_pieces = 1)
      : schedule_(schedule), values_(schedule), order_(schedule), num_pieces_(num_pieces) {}

  const EventOrder& order() const { return order_; }

  /// Throws std::length_error beyond kMostStates states.
  Exploration explore(Pruning pruning) {
    result_ = {};
    seen_.clear();
    outcomes_.clear();
    Machine start(schedule_);
    values_.fill_inputs(start.memory());
    std::vector<Machine> open{start};
    seen_.insert(key(start));
    while (!open.empty()) {
      const Machine machine = std::move(open.back());
      open.pop_back();
      const std::vector<Choice> choices = machine.choices();
      if (choices.empty()) end(machine);
      if (has_conflict(choices, machine)) result_.races = true;
      for (const Choice& choice : pruning == Pruning::kNone ? choices : pruned(choices, machine)) {
        Machine next = machine;
        next.take(choice, products_, num_pieces_);
        if (seen_.insert(key(next)).second) open.push_back(std::move(next));
      }
      if (seen_.size() > kMostStates) throw std::length_error("too many states");
    }
    result_.num_outcomes = outcomes_.size();
    result_.num_states = seen_.size();
    return result_;
  }

 private:
  void end(const Machine& machine) {
    if (!machine.finished()) {
      result_.some_stall = true;
      return;
    }
    result_.some_finish = true;
    Machine copy = machine;
    (values_.outputs_are_right(copy.memory()) ? result_.some_right : result_.some_wrong) = true;
    std::string outcome;
    for (const Holding& holding : schedule_.contract.outputs) {
      const View view = copy.memory().view(schedule_, holding.region);
      HostArray values(view.dtype, holding.region.box.shape());
      meshmul::copy(values.view(), view, {});
      append(outcome, values.bytes());
    }
    outcomes_.insert(outcome);
  }

  std::vector<Choice> pruned(const std::vector<Choice>& choices, const Machine& machine) const {
    for (const Choice& choice : choices)
      if (!order_.races(order_.node_of(choice, machine))) return {choice};
    return choices;
  }

  bool has_conflict(const std::vector<Choice>& choices, const Machine& machine) const {
    std::vector<std::size_t> nodes;
    for (const Choice& choice : choices) nodes.push_back(order_.node_of(choice, machine));
    for (std::size_t x = 0; x < nodes.size(); ++x)
      for (std::size_t y = 0; y < x; ++y)
        if (nodes[x] != nodes[y] && order_.conflict(nodes[x], nodes[y])) return true;
    return false;
  }

  static void append(std::string& text, std::span<const std::byte> bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  /// 128 bits of a state: two hashes, so that two states of one exploration are never taken for one.
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  Key key(const Machine& machine) const {
    Key key{14695981039346656037U, 0};
    for (const char c : bytes_of(machine)) {
      key.first = (key.first ^ static_cast<unsigned char>(c)) * 1099511628211U;  // FNV-1a
      key.second = (key.second + static_cast<unsigned char>(c) + 1) * 0x9E3779B97F4A7C15U;
      key.second ^= key.second >> 29U;
    }
    return key;
  }

  /// Everything that decides how a run goes on.
  std::string bytes_of(const Machine& machine) const {
    std::string text;
    append(text, machine.memory().bytes());
    const auto number = [&](int value) { text += std::to_string(value) + ","; };
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank) {
      const std::size_t lanes = schedule_.ranks[static_cast<std::size_t>(rank)].lanes.size();
      for (std::size_t lane = 0; lane < lanes; ++lane) number(machine.position(rank, static_cast<int>(lane)));
      for (std::size_t signal = 0; signal < schedule_.signals.size(); ++signal)
        number(static_cast<int>(machine.word(rank, static_cast<int>(signal)).value()));
    }
    // The order in which transfers started does not matter.
    std::set<std::string> transfers;
    for (const Transfer& transfer : machine.transfers()) {
      std::string one = std::to_string(transfer.op.rank) + "," + std::to_string(transfer.op.lane) + "," +
                        std::to_string(transfer.op.op) + ":";
      for (const Transfer::Piece& piece : transfer.pieces) {
        one += static_cast<char>('0' + static_cast<int>(piece.state));
        if (piece.state == Transfer::Piece::State::kRead) append(one, piece.values.bytes());
      }
      transfers.insert(one);
    }
    for (const std::string& one : transfers) text += one;
    return text;
  }

  const Schedule& schedule_;
  ContractValues values_;
  EventOrder order_;
  int num_pieces_;
  ReferenceProducts products_;
  Exploration result_;
  std::set<Key> seen_;
  std::set<std::string> outcomes_;
};

}  // namespace meshmul::testing
