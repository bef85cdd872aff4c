#include "plan/program/program_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "meshmul/error.hpp"
#include "plan/program/memory_outlook.hpp"
#include "plan/program/outlook.hpp"

namespace meshmul {
namespace {

/// What some of the tasks cost, and how it came about.
struct Entry {
  TimeKey time;
  /// Of given arrays and finished outputs so far; the largest moment so far, with the given arrays so far.
  std::array<double, 2> bytes{};
  TaskOptions options{};  // of the last task
  int parent = -1;        // among the entries after the task before it
};

/// Entries [begin, end) with the same options of all choices that matter before and after this point.
struct Group {
  std::uint64_t key = 0;
  std::size_t begin = 0, end = 0;
};

/// The choices that matter both before and after a point, and a number for each combination of their options.
class Crossing {
 public:
  void add(int choice, int num_options) {
    const auto radix = static_cast<std::uint64_t>(num_options);
    if (num_keys_ > std::numeric_limits<std::uint64_t>::max() / radix)
      throw Error(ErrorCode::kUnsupported, "the program needs too many arrays with open shardings at once");
    digits_.push_back({static_cast<std::size_t>(choice), num_keys_, radix});
    num_keys_ *= radix;
  }

  std::uint64_t key(const std::vector<int>& options) const {
    std::uint64_t key = 0;
    for (const auto& [choice, stride, radix] : digits_) key += stride * static_cast<std::uint64_t>(options[choice]);
    return key;
  }
  void set_options(std::uint64_t key, std::vector<int>& options) const {
    for (const auto& [choice, stride, radix] : digits_) options[choice] = static_cast<int>(key / stride % radix);
  }

 private:
  struct Digit {
    std::size_t choice = 0;
    std::uint64_t stride = 1, radix = 1;
  };
  std::vector<Digit> digits_;
  std::uint64_t num_keys_ = 1;
};

class ProgramSearch {
 public:
  ProgramSearch(const PreparedProgram& prepared, const SearchTerms& terms, double memory_limit)
      : prepared_(prepared),
        choices_(prepared.setting.choices),
        terms_(terms),
        memory_limit_(memory_limit),
        options_(static_cast<std::size_t>(choices_.num_choices()), 0),
        crossings_(prepared.tasks.size()),
        given_later_(prepared.tasks.size() + 1, 0) {
    Entry start;
    for (int choice = 0; choice < choices_.num_choices(); ++choice) {
      const int smallest = option_with_least_given(choice);
      const double given_bytes = prepared.relevance.given_bytes(choice, smallest);
      if (prepared.relevance.is_idle(choice)) {
        options_[at(choice)] = smallest;
        for (double& bytes : start.bytes) bytes += given_bytes;
      }
      for (int task = 0; task < num_tasks(); ++task) {
        if (prepared.relevance.crosses(choice, task)) crossings_[at(task)].add(choice, choices_.num_options(choice));
        if (prepared.relevance.begins(choice, task))
          for (int earlier = 0; earlier <= task; ++earlier) given_later_[at(earlier)] += given_bytes;
      }
    }
    start_ = start;
    for (int number = 0; number < num_tasks(); ++number)
      tables_.push_back(table_of(number, prepared.tasks[at(number)], prepared.ways[at(number)], prepared.setting,
                                 prepared.relevance, terms));
    if (terms.aim == Aim::kFastest || terms.aim == Aim::kFastestThatFits)
      outlook_.emplace(prepared.tasks, tables_, prepared.relevance, choices_);
    if (terms.aim != Aim::kFastest) memory_outlook_.emplace(prepared.tasks, tables_, prepared.relevance, choices_);
  }

  /// The best is first looked for among the most promising of what is open at each point, in ever more of that until something fits;
  /// then with what that found as a bound on everything.
  std::vector<Assignment> run() {
    if (terms_.aim == Aim::kFront) return all_by_task(kAll);
    constexpr std::size_t kMostPromising[] = {256, 4096, 65536};
    constexpr double kRounding = 1e-9;
    for (const std::size_t most_groups : kMostPromising) {
      std::vector<Assignment> some = all_by_task(most_groups);
      if (!has_left_out_) return some;
      if (some.empty()) continue;
      if (outlook_) most_seconds_ = some.front().time.seconds * (1 + kRounding);
      if (terms_.aim == Aim::kSmallest) memory_limit_ = some.front().peak_bytes;
      break;
    }
    return all_by_task(kAll);
  }

 private:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  /// What is left after task by task, of each only `most_groups` of the joint choices.
  std::vector<Assignment> all_by_task(std::size_t most_groups) {
    history_.assign(1, {start_});
    groups_.assign(1, {0, 0, 1});
    has_left_out_ = false;
    num_entries_ = 0;
    for (int task = 0; task < num_tasks(); ++task) {
      advance(task);
      keep_most_promising(most_groups, task);
      flatten();
    }
    return sorted_assignments();
  }

  std::vector<Assignment> sorted_assignments() const {
    std::vector<Assignment> found;
    for (const Entry& entry : history_.back()) found.push_back(assignment(entry));
    const auto by_time = [](const Assignment& a) { return std::pair(a.time, a.peak_bytes); };
    const auto by_memory = [](const Assignment& a) { return std::pair(a.peak_bytes, a.time); };
    std::stable_sort(found.begin(), found.end(), [&](const Assignment& a, const Assignment& b) {
      return terms_.aim == Aim::kSmallest ? by_memory(a) < by_memory(b) : by_time(a) < by_time(b);
    });
    return found;
  }

  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  int num_tasks() const { return static_cast<int>(prepared_.tasks.size()); }

  int option_with_least_given(int choice) const {
    int least = 0;
    for (int option = 1; option < choices_.num_options(choice); ++option)
      if (prepared_.relevance.given_bytes(choice, option) < prepared_.relevance.given_bytes(choice, least))
        least = option;
    return least;
  }

  void advance(int number) {
    const Task& task = prepared_.tasks[at(number)];
    const TaskTable& table = tables_[at(number)];
    // Those of the task; and of stacks, for which there is memory before anything is made.
    std::vector<int> begun;
    const auto begin = [&](int choice) {
      if (prepared_.relevance.begins(choice, number) && !prepared_.relevance.is_local(choice, number) &&
          std::find(begun.begin(), begun.end(), choice) == begun.end())
        begun.push_back(choice);
    };
    for (const int choice : table.choices) begin(choice);
    const std::size_t num_begun_by_task = begun.size();
    for (const ValueId value : task.kept) begin(choices_.of(value));
    const bool keeps_what_is_settled = begun.size() == num_begun_by_task;

    next_.clear();
    next_of_key_.clear();
    for (const Group& group : groups_) {
      if (number > 0) crossings_[at(number - 1)].set_options(group.key, options_);
      for (const int choice : begun) options_[at(choice)] = 0;
      Besides besides;
      besides.kept_bytes = bytes_of(task.kept);
      do {
        const std::vector<TaskRow>& rows = table.rows[row_number(table)];
        if (rows.empty()) continue;
        if (!keeps_what_is_settled) besides.kept_bytes = bytes_of(task.kept);
        besides.given_bytes = besides.finished_bytes = 0;
        for (std::size_t i = num_begun_by_task; i < begun.size(); ++i)
          besides.given_bytes += prepared_.relevance.given_bytes(begun[i], options_[at(begun[i])]);
        for (const ValueId value : task.finished)
          if (!is_in_rows(value, task, number)) besides.finished_bytes += bytes_of(value);
        extend(group, rows, static_cast<double>(task.times), besides, number);
      } while (next_options(begun));
    }
  }

  /// Of the groups that are open after a task.
  void keep_most_promising(std::size_t most, int number) {
    if (next_.size() <= most) return;
    has_left_out_ = true;
    const auto by_promise = [](const OpenGroup& a, const OpenGroup& b) { return a.promised < b.promised; };
    for (OpenGroup& group : next_) {
      crossings_[at(number)].set_options(group.key, options_);
      const double after =
          outlook_ ? outlook_->seconds_after(number, options_) : memory_outlook_->bytes_after(number, options_);
      group.promised = std::numeric_limits<double>::infinity();
      for (const Entry& entry : group.entries)
        group.promised =
            std::min(group.promised, outlook_ ? entry.time.seconds + after : least_peak(entry, after, number));
    }
    std::ranges::nth_element(next_, next_.begin() + static_cast<std::ptrdiff_t>(most), by_promise);
    next_.resize(most);
  }

  /// Rows count what is finished if its choice is that of an array of the task, and matters to no other one.
  bool is_in_rows(ValueId finished, const Task& task, int number) const {
    const int choice = choices_.of(finished);
    return prepared_.relevance.is_local(choice, number) &&
           (choices_.of(task.result) == choice ||
            std::any_of(task.sources.begin(), task.sources.end(),
                        [&](const Use& use) { return choices_.of(use.value) == choice; }));
  }

  double bytes_of(const std::vector<ValueId>& values) const {
    double bytes = 0;
    for (const ValueId value : values) bytes += bytes_of(value);
    return bytes;
  }
  double bytes_of(ValueId value) const { return choices_.bytes(value, options_[at(choices_.of(value))]); }

  std::size_t row_number(const TaskTable& table) const {
    std::size_t number = 0;
    for (std::size_t i = 0; i < table.choices.size(); ++i)
      number += table.strides[i] * static_cast<std::size_t>(options_[at(table.choices[i])]);
    return number;
  }

  /// The next combination of the options of `choices`; false after the last.
  bool next_options(const std::vector<int>& choices) {
    for (const int choice : choices) {
      if (++options_[at(choice)] < choices_.num_options(choice)) return true;
      options_[at(choice)] = 0;
    }
    return false;
  }

  /// What is in memory besides what the rows of a task count.
  struct Besides {
    double kept_bytes = 0;
    double given_bytes = 0;     // of choices that begin here without being one of the task's
    double finished_bytes = 0;  // once the task is done
  };

  void extend(const Group& group, const std::vector<TaskRow>& rows, double times, const Besides& besides, int number) {
    const double most_seconds = outlook_ ? most_seconds_ - outlook_->seconds_after(number, options_) : most_seconds_;
    const double bytes_after = memory_outlook_ ? memory_outlook_->bytes_after(number, options_) : 0;
    std::vector<Entry>* entries = nullptr;
    std::size_t num_before = 0;
    for (std::size_t parent = group.begin; parent < group.end; ++parent) {
      const Entry& before = history_.back()[parent];
      for (const TaskRow& row : rows) {
        if (before.time.seconds + times * row.time.seconds > most_seconds) continue;
        const double given_bytes = row.given_bytes() + besides.given_bytes;
        const double lasting_bytes =
            before.bytes[0] + row.lasting_bytes() + besides.given_bytes + besides.finished_bytes;
        const double moment_bytes = before.bytes[0] + row.moment_bytes() + besides.given_bytes + besides.kept_bytes;
        const double peak_bytes = std::max(before.bytes[1] + given_bytes, moment_bytes);
        const Entry after{
            before.time.plus(row.time, times), {lasting_bytes, peak_bytes}, row.options, static_cast<int>(parent)};
        if (least_peak(after, bytes_after, number) > memory_limit_) continue;
        if (entries == nullptr) {
          entries = &open_group(number).entries;
          num_before = entries->size();
        }
        add_unbeaten(terms_.aim, *entries, after);
      }
    }
    if (entries != nullptr)
      count(static_cast<std::int64_t>(entries->size()) - static_cast<std::int64_t>(num_before), number);
  }

  /// Of all that is made of an entry after a task, if that needs `bytes_after` besides what lasts.
  double least_peak(const Entry& entry, double bytes_after, int number) const {
    return std::max(entry.bytes[0] + bytes_after, entry.bytes[1] + given_later_[at(number + 1)]);
  }

  /// Entries are what memory goes into.
  void count(std::int64_t more_entries, int number) {
    num_entries_ += more_entries;
    if (num_entries_ > terms_.most_entries)
      throw Error(
          ErrorCode::kUnsupported,
          fmt::format(
              "the program leaves too many shardings open: of its {} tasks only {} have been searched, and "
              "more than {} ways to begin it may still lead to the best plan; write the shardings of some arrays down",
              num_tasks(), number, terms_.most_entries));
  }

  /// A group that still grows.
  struct OpenGroup {
    std::uint64_t key = 0;
    std::vector<Entry> entries;
    double promised = 0;  // seconds or peak of the best of them with all that comes after it, at least
  };

  /// That of the options at hand, after a task.
  OpenGroup& open_group(int number) {
    const std::uint64_t key = crossings_[at(number)].key(options_);
    const auto [place, is_new] = next_of_key_.try_emplace(key, next_.size());
    if (is_new) next_.push_back({key, {}});
    return next_[place->second];
  }

  void flatten() {
    std::vector<Entry>& entries = history_.emplace_back();
    groups_.clear();
    for (const OpenGroup& group : next_) {
      if (group.entries.empty()) continue;
      groups_.push_back({group.key, entries.size(), entries.size() + group.entries.size()});
      entries.insert(entries.end(), group.entries.begin(), group.entries.end());
    }
  }

  Assignment assignment(const Entry& last) const {
    Assignment found{options_, last.time, last.bytes[1]};
    const Entry* entry = &last;
    for (int number = num_tasks() - 1; number >= 0; --number) {
      const Task& task = prepared_.tasks[at(number)];
      for (std::size_t i = 0; i < task.sources.size(); ++i)
        found.options[at(choices_.of(task.sources[i].value))] = entry->options[i];
      found.options[at(choices_.of(task.result))] = entry->options[2];
      entry = &history_[at(number)][at(entry->parent)];
    }
    return found;
  }

  const PreparedProgram& prepared_;
  const Choices& choices_;
  const SearchTerms& terms_;
  double memory_limit_;
  std::vector<int> options_;         // by choice: of the group at hand
  std::vector<Crossing> crossings_;  // by task: between it and the next
  std::vector<double> given_later_;  // by task: the least that given arrays take whose choice begins there or later
  std::vector<TaskTable> tables_;    // by task
  std::optional<Outlook> outlook_;   // where time counts first
  std::optional<MemoryOutlook> memory_outlook_;  // where memory counts
  bool has_left_out_ = false;                    // some of what was open
  std::int64_t num_entries_ = 0;                 // after all tasks
  double most_seconds_ = std::numeric_limits<double>::infinity();
  Entry start_;
  std::vector<std::vector<Entry>> history_;  // by number of tasks done
  std::vector<Group> groups_;                // of the last of `history_`
  std::vector<OpenGroup> next_;
  std::unordered_map<std::uint64_t, std::size_t> next_of_key_;
};

}  // namespace

PreparedProgram::PreparedProgram(const ProgramSetting& s)
    : setting(s), tasks(tasks_of(s.program)), relevance(s.program, s.choices, tasks) {
  for (const Task& task : tasks) ways.push_back(ways_of(task, s));
}

std::vector<Assignment> search_program(const PreparedProgram& prepared, const SearchTerms& terms, double memory_limit) {
  return ProgramSearch(prepared, terms, memory_limit).run();
}

}  // namespace meshmul
