#include "plan/program/relevance.hpp"

namespace meshmul {

Relevance::Relevance(const Program& program, const Choices& choices, const std::vector<Task>& tasks)
    : spans_(static_cast<std::size_t>(choices.num_choices())) {
  for (int choice = 0; choice < choices.num_choices(); ++choice)
    spans_[static_cast<std::size_t>(choice)].given_bytes.resize(static_cast<std::size_t>(choices.num_options(choice)));
  for (const ValueId value : inputs(program)) {
    const int choice = choices.of(value);
    std::vector<double>& given_bytes = spans_[static_cast<std::size_t>(choice)].given_bytes;
    for (std::size_t option = 0; option < given_bytes.size(); ++option)
      given_bytes[option] += choices.bytes(value, static_cast<int>(option));
  }
  for (int task = 0; const Task& t : tasks) {
    const auto matters = [&](ValueId value) {
      Span& span = spans_[static_cast<std::size_t>(choices.of(value))];
      if (span.first == kNone) span.first = task;
      span.last = task;
    };
    for (const Use& use : t.sources) matters(use.value);
    for (const ValueId value : t.kept) matters(value);
    for (const ValueId value : t.finished) matters(value);
    matters(t.result);
    ++task;
  }
}

}  // namespace meshmul
