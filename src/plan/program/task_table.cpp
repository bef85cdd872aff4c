#include "plan/program/task_table.hpp"

#include <algorithm>
#include <utility>

namespace meshmul {
namespace {

/// A chain of moves of one array, and what its option brings along.
struct Piece {
  TimeKey time;
  std::array<double, 3> bytes{};  // as in TaskRow
  std::uint16_t option = 0;
};

/// One array of the task.
struct Operand {
  int choice = 0;
  bool is_weight = false;
  bool is_merged = false;     ///< a local choice settles it alone: the pieces of all its options are one list
  std::size_t stride = 0;     ///< of its option in the number of a row
  std::vector<bool> allowed;  // by option
  std::vector<std::array<double, 3>> own_bytes;  // by option: what comes along with it, as in TaskRow
  std::vector<std::vector<Piece>> pieces;        // of the work at hand, by option
};

/// A way of which some arrays are settled.
struct Draft {
  double move_seconds = 0;
  double sent_bytes = 0;
  std::array<double, 3> bytes{};
  TaskOptions options{};
  std::size_t row = 0;
};

class TableBuilder {
 public:
  TableBuilder(int number, const Task& task, const TaskWays& ways, const ProgramSetting& setting,
               const Relevance& relevance, const SearchTerms& terms)
      : number_(number), task_(task), ways_(ways), choices_(setting.choices), relevance_(relevance), terms_(terms) {
    std::vector<ValueId> values;
    for (const Use& source : task.sources) values.push_back(source.value);
    values.push_back(task.result);
    for (const ValueId value : values) add_operand(value);
    for (Operand& operand : operands_) {
      const auto same = [&](const Operand& other) { return other.choice == operand.choice; };
      operand.is_merged =
          relevance.is_local(operand.choice, number) && std::count_if(operands_.begin(), operands_.end(), same) == 1;
    }
  }

  TaskTable take() {
    std::size_t num_rows = 1;
    for (std::size_t i = 0; i < table_.choices.size(); ++i)
      num_rows = table_.strides[i] * num_options(table_.choices[i]);
    table_.rows.resize(num_rows);
    if (ways_.is_change())
      add_changes();
    else
      for (const LocalWork& work : ways_.works) add_work(work);
    return std::move(table_);
  }

 private:
  std::size_t num_options(int choice) const { return static_cast<std::size_t>(choices_.num_options(choice)); }

  void add_operand(ValueId value) {
    Operand operand{choices_.of(value), terms_.is_weight[static_cast<std::size_t>(value)], false, 0, {}, {}, {}};
    const auto same = [&](const Operand& other) { return other.choice == operand.choice; };
    const bool is_first = std::none_of(operands_.begin(), operands_.end(), same);
    const bool is_local = relevance_.is_local(operand.choice, number_);
    if (is_first && !is_local) {
      operand.stride = table_.choices.empty() ? 1 : table_.strides.back() * num_options(table_.choices.back());
      table_.choices.push_back(operand.choice);
      table_.strides.push_back(operand.stride);
    }
    operand.pieces.resize(num_options(operand.choice));
    for (int option = 0; option < choices_.num_options(operand.choice); ++option) {
      operand.allowed.push_back(terms_.rules.allows_at_rest(operand.is_weight, choices_.sharding(value, option)));
      operand.own_bytes.push_back(is_first ? own_bytes(operand.choice, option, is_local) : std::array<double, 3>{});
    }
    operands_.push_back(std::move(operand));
  }

  std::array<double, 3> own_bytes(int choice, int option, bool is_local) const {
    const double given = relevance_.begins(choice, number_) ? relevance_.given_bytes(choice, option) : 0;
    double lasting = given;
    for (const ValueId value : task_.finished)
      if (is_local && choices_.of(value) == choice) lasting += choices_.bytes(value, option);
    return {given, lasting, given};
  }

  static void clear(Operand& operand) {
    for (std::vector<Piece>& pieces : operand.pieces) pieces.clear();
  }

  void add_piece(Operand& operand, std::size_t option, const Path& path, double made_bytes) {
    Piece piece{
        {path.seconds, path.seconds, path.sent_bytes}, operand.own_bytes[option], static_cast<std::uint16_t>(option)};
    piece.bytes[2] += made_bytes;
    if (operand.is_merged)
      add_unbeaten(Aim::kFront, operand.pieces[0], piece);
    else
      operand.pieces[option].push_back(piece);
  }

  /// The chains of `operand` to or from `state`. Returns whether there are any.
  bool collect(Operand& operand, const ArrayChains& chains, int state) {
    clear(operand);
    bool any = false;
    for (std::size_t option = 0; option < operand.allowed.size(); ++option) {
      if (!operand.allowed[option]) continue;
      const PathTable& table = chains.table(static_cast<int>(option));
      const PackedSharding& at_rest = chains.space().sharding(chains.state(static_cast<int>(option)));
      const PackedSharding& at_work = chains.space().sharding(state);
      for (const int id : table.paths_of(state)) {
        const Path& path = table.path(id);
        if (!terms_.rules.allows_at_work(operand.is_weight, at_rest, at_work, path)) continue;
        add_piece(operand, option, path, path.memory_bytes);
        any = true;
      }
    }
    return any;
  }

  void add_work(const LocalWork& work) {
    for (std::size_t i = 0; i < ways_.sources.size(); ++i)
      if (!collect(operands_[i], *ways_.sources[i], work.sources[i])) return;
    if (!collect(operands_.back(), *ways_.result, work.result)) return;
    Draft draft;
    draft.bytes[2] = work.result_bytes;
    complete(0, draft, work.cost.seconds);
  }

  /// A change of sharding: all moves are counted to the result, and follow the rules for the source.
  void add_changes() {
    Operand& source = operands_.front();
    Operand& result = operands_.back();
    const StateSpace& states = ways_.result->space();
    for (std::size_t from = 0; from < source.allowed.size(); ++from) {
      if (!source.allowed[from]) continue;
      clear(source);
      clear(result);
      add_piece(source, from, {}, 0);
      for (std::size_t to = 0; to < result.allowed.size(); ++to) {
        if (!result.allowed[to]) continue;
        const PathTable& table = ways_.result->table(static_cast<int>(to));
        const int end = ways_.result->state(static_cast<int>(to));
        for (const int id : table.paths_of(ways_.starts[from])) {
          const Path& path = table.path(id);
          if (!terms_.rules.allows_at_work(source.is_weight, states.sharding(ways_.starts[from]), states.sharding(end),
                                           path))
            continue;
          const double copy_bytes = task_.kind == PartKind::kNextPass ? 0 : states.bytes(end);
          add_piece(result, to, path, path.num_moves == 0 ? copy_bytes : path.memory_bytes);
        }
      }
      complete(0, {}, 0);
    }
  }

  /// Settles the arrays from number `i` on in every way.
  void complete(std::size_t i, const Draft& draft, double work_seconds) {
    if (i == operands_.size()) return add_row(draft, work_seconds);
    const Operand& operand = operands_[i];
    for (std::size_t option = 0; option < (operand.is_merged ? 1 : operand.pieces.size()); ++option) {
      if (operand.pieces[option].empty() || !agrees(i, option, draft)) continue;
      for (const Piece& piece : operand.pieces[option]) {
        Draft next = draft;
        next.move_seconds += piece.time.seconds;
        next.sent_bytes += piece.time.sent_bytes;
        for (std::size_t b = 0; b < next.bytes.size(); ++b) next.bytes[b] += piece.bytes[b];
        // The result is the last of the options, however many sources there are.
        next.options[i + 1 == operands_.size() ? 2 : i] = piece.option;
        next.row += option * operand.stride;
        complete(i + 1, next, work_seconds);
      }
    }
  }

  /// Arrays of one choice have one option.
  bool agrees(std::size_t i, std::size_t option, const Draft& draft) const {
    for (std::size_t other = 0; other < i; ++other)
      if (operands_[other].choice == operands_[i].choice) return draft.options[other] == option;
    return true;
  }

  void add_row(const Draft& draft, double work_seconds) {
    const double sequential = draft.move_seconds + work_seconds;
    const double seconds = terms_.overlapped ? std::max(draft.move_seconds, work_seconds) : sequential;
    add_unbeaten(terms_.aim, table_.rows[draft.row],
                 TaskRow{{seconds, sequential, draft.sent_bytes}, draft.bytes, draft.options});
  }

  const int number_;
  const Task& task_;
  const TaskWays& ways_;
  const Choices& choices_;
  const Relevance& relevance_;
  const SearchTerms& terms_;
  std::vector<Operand> operands_;
  TaskTable table_;
};

}  // namespace

TaskTable table_of(int number, const Task& task, const TaskWays& ways, const ProgramSetting& setting,
                   const Relevance& relevance, const SearchTerms& terms) {
  return TableBuilder(number, task, ways, setting, relevance, terms).take();
}

}  // namespace meshmul
