#include "straight_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace meshmul {
namespace {

// True if the one step of a part leaves an array where it is.
bool stays(const PlannedPart& part) {
  if (part.steps.empty()) return true;
  const auto* move = std::get_if<Move>(&part.steps.front());
  return part.steps.size() == 1 && move != nullptr && move->kind == MoveKind::kSlice && move->axes.empty() &&
         move->from.sharding == move->to.sharding && move->from.dims == move->to.dims;
}

class Unroller {
 public:
  explicit Unroller(const PlannedProgram& planned)
      : planned_(planned), program_(planned.program), current_(program_.values.size()) {}

  StraightLine unroll() {
    for (std::size_t i = 0; i < planned_.parts.size();) {
      std::size_t end = i;
      while (end < planned_.parts.size() && planned_.parts[end].item == planned_.parts[i].item) ++end;
      const ProgramItem& item = program_.items[static_cast<std::size_t>(planned_.parts[i].item)];
      if (const auto* loop = std::get_if<Repeat>(&item))
        add_loop(*loop, i, end);
      else
        add_statement(planned_.parts[i], std::get<ProgramStatement>(item));
      i = end;
    }
    for (const ValueId id : outputs(program_)) add_output(id);
    drop_unread();
    give_names();
    return std::move(line_);
  }

 private:
  std::optional<int>& current(ValueId id) { return current_[static_cast<std::size_t>(id)]; }
  const std::string& name_of(const LineArray& array) const { return program_.value(array.value).type.name; }

  // The parts from `first` to `end` are those of `loop`.
  void add_loop(const Repeat& loop, std::size_t first, std::size_t end) {
    loop_ = &loop;
    for (std::int64_t number = 0; number < loop.count; ++number) {
      pass_ = loop.reversed ? loop.count - 1 - number : number;
      const PartKind opening = number == 0 ? PartKind::kEnterLoop : PartKind::kNextPass;
      for (const PartKind kind : {opening, PartKind::kStatement})
        for (std::size_t i = first; i < end; ++i) {
          const PlannedPart& part = planned_.parts[i];
          if (part.kind != kind) continue;
          const auto index = static_cast<std::size_t>(*part.index);
          if (kind == PartKind::kStatement)
            add_statement(part, loop.body[index]);
          else
            add_carry(part, loop.carries[index]);
        }
      for (const Stack& stack : loop.stacks) slices_[{stack.whole, pass_}] = *current(stack.slice);
    }
    for (const Carry& carry : loop.carries) current(carry.after) = current(carry.end);
    loop_ = nullptr;
    pass_ = 0;
  }

  // What the last pass of a loop hands on to nobody need not be computed.
  void drop_unread() {
    std::vector<bool> is_read(line_.arrays.size());
    const auto reads = [&is_read](int array) { return is_read[static_cast<std::size_t>(array)]; };
    for (const int output : line_.outputs) is_read[static_cast<std::size_t>(output)] = true;
    for (auto line = line_.lines.rbegin(); line != line_.lines.rend(); ++line)
      if (reads(line->result))
        for (const int source : line->sources) is_read[static_cast<std::size_t>(source)] = true;
    std::erase_if(line_.lines, [&](const Line& line) { return !reads(line.result); });
    std::erase_if(line_.inputs, [&](int input) { return !reads(input); });
  }

  // A stack is returned slice by slice.
  void add_output(ValueId id) {
    if (program_.value(id).kind != ValueKind::kStacked) return line_.outputs.push_back(*current(id));
    for (auto slice = slices_.lower_bound({id, 0}); slice != slices_.end() && slice->first.first == id; ++slice) {
      at(slice->second).value = id;
      at(slice->second).slice = slice->first.second;
      line_.outputs.push_back(slice->second);
    }
  }

  void add_statement(const PlannedPart& part, const ProgramStatement& statement) {
    Line line{&part, &statement, {}, 0, static_cast<int>(pass_)};
    for (const Use& use : uses(statement)) line.sources.push_back(array_of(use));
    const ValueId result = results(statement).front();
    line.result = add_array({program_.value(result).type, result, std::nullopt});
    current(result) = line.result;
    line_.lines.push_back(std::move(line));
  }

  void add_carry(const PlannedPart& part, const Carry& carry) {
    const int source = array_of({part.kind == PartKind::kEnterLoop ? carry.before : carry.end, false});
    if (stays(part)) {
      current(carry.begin) = source;
      return;
    }
    const int result = add_array({program_.value(carry.begin).type, carry.begin, std::nullopt});
    current(carry.begin) = result;
    line_.lines.push_back({&part, nullptr, {source}, result, static_cast<int>(pass_)});
  }

  int add_array(LineArray array) {
    line_.arrays.push_back(std::move(array));
    passes_.push_back(loop_ != nullptr ? std::optional(fmt::format("{}{}", loop_->variable, pass_)) : std::nullopt);
    return static_cast<int>(line_.arrays.size()) - 1;
  }

  // What is used becomes an input where it is used first.
  int array_of(const Use& use) {
    if (!use.sliced && current(use.value)) return *current(use.value);
    if (use.sliced)
      if (const auto known = slices_.find({use.value, pass_}); known != slices_.end()) return known->second;
    assert(program_.value(use.value).kind == ValueKind::kGiven);
    const int array =
        add_array({type_of(program_, use), use.value, use.sliced ? std::optional<std::int64_t>(pass_) : std::nullopt});
    line_.inputs.push_back(array);
    if (use.sliced)
      slices_[{use.value, pass_}] = array;
    else
      current(use.value) = array;
    return array;
  }

  // Whole inputs keep their names, then outputs; what a pass makes, or takes a slice of, is named after it too.
  void give_names() {
    std::vector<std::string> taken;
    for (const int input : line_.inputs)
      if (!at(input).slice) at(input).type.name = free_name(name_of(at(input)), taken);
    for (const int output : line_.outputs) {
      const std::string name =
          name_of(at(output)) + (at(output).slice ? *passes_[static_cast<std::size_t>(output)] : "");
      const bool is_taken = std::find(taken.begin(), taken.end(), name) != taken.end();
      at(output).type.name = free_name(is_taken ? name + "out" : name, taken);
    }
    const auto is_named = [this](int i) {
      const auto is_among = [i](const std::vector<int>& of) { return std::find(of.begin(), of.end(), i) != of.end(); };
      return is_among(line_.outputs) || (is_among(line_.inputs) && !at(i).slice);
    };
    for (int i = 0; i < static_cast<int>(line_.arrays.size()); ++i)
      if (!is_named(i))
        at(i).type.name = free_name(name_of(at(i)) + passes_[static_cast<std::size_t>(i)].value_or(""), taken);
  }

  LineArray& at(int array) { return line_.arrays[static_cast<std::size_t>(array)]; }

  const PlannedProgram& planned_;
  const Program& program_;
  StraightLine line_;
  std::vector<std::optional<int>> current_;                 // by value: the array that it is now
  std::vector<std::optional<std::string>> passes_;          // by array: `l0`, if a loop made it
  std::map<std::pair<ValueId, std::int64_t>, int> slices_;  // by value and pass
  const Repeat* loop_ = nullptr;                            // around the part at hand
  std::int64_t pass_ = 0;
};

}  // namespace

StraightLine straight_line(const PlannedProgram& planned) { return Unroller(planned).unroll(); }

std::string free_name(const std::string& wanted, std::vector<std::string>& taken) {
  std::string name = wanted;
  for (int number = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++number)
    name = fmt::format("{}n{}", wanted, number);
  taken.push_back(name);
  return name;
}

}  // namespace meshmul
