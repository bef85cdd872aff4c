#include "plan/program/outlook.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace meshmul {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostValues = std::size_t{1} << 20;

std::size_t num_options(const std::vector<int>& choices, const Choices& all) {
  std::size_t number = 1;
  for (const int choice : choices) number *= static_cast<std::size_t>(all.num_options(choice));
  return number;
}

void add_missing(const std::vector<int>& choices, std::vector<int>& to) {
  for (const int choice : choices)
    if (std::ranges::find(to, choice) == to.end()) to.push_back(choice);
}

}  // namespace

bool Outlook::Seconds::depends_on(int choice) const { return std::ranges::find(choices, choice) != choices.end(); }

double Outlook::Seconds::at(const std::vector<int>& options) const {
  std::size_t number = 0;
  for (std::size_t i = 0; i < choices.size(); ++i)
    number += strides[i] * static_cast<std::size_t>(options[static_cast<std::size_t>(choices[i])]);
  return values[number];
}

Outlook::Outlook(const std::vector<Task>& tasks, const std::vector<TaskTable>& tables, const Relevance& relevance,
                 const Choices& choices)
    : after_(tasks.size()) {
  std::vector<Seconds> rest;
  for (std::size_t task = tasks.size(); task-- > 0;) {
    after_[task] = rest;
    rest.push_back(of_task(tables[task], static_cast<double>(tasks[task].times)));
    for (int choice = 0; choice < choices.num_choices(); ++choice)
      if (relevance.begins(choice, static_cast<int>(task))) rest = without(choice, std::move(rest), choices);
  }
}

double Outlook::seconds_after(int task, const std::vector<int>& options) const {
  double seconds = 0;
  for (const Seconds& term : after_[static_cast<std::size_t>(task)]) seconds += term.at(options);
  return seconds;
}

// Of the fastest row.
Outlook::Seconds Outlook::of_task(const TaskTable& table, double times) {
  Seconds seconds{table.choices, table.strides, {}};
  for (const std::vector<TaskRow>& rows : table.rows) {
    double fastest = kNever;
    for (const TaskRow& row : rows) fastest = std::min(fastest, times * row.time.seconds);
    seconds.values.push_back(fastest);
  }
  return seconds;
}

// Of the sum, over the options of `choice`.
Outlook::Seconds Outlook::least(const std::vector<Seconds>& terms, int choice, const Choices& choices) {
  Seconds result;
  for (const Seconds& term : terms) add_missing(term.choices, result.choices);
  std::erase(result.choices, choice);
  std::size_t stride = 1;
  for (const int other : result.choices) {
    result.strides.push_back(stride);
    stride *= static_cast<std::size_t>(choices.num_options(other));
  }
  std::vector<int> options(static_cast<std::size_t>(choices.num_choices()), 0);
  int& own = options[static_cast<std::size_t>(choice)];
  for (std::size_t number = 0; number < stride; ++number) {
    for (std::size_t i = 0; i < result.choices.size(); ++i)
      options[static_cast<std::size_t>(result.choices[i])] =
          static_cast<int>(number / result.strides[i]) % choices.num_options(result.choices[i]);
    double fastest = kNever;
    for (own = 0; own < choices.num_options(choice); ++own) {
      double sum = 0;
      for (const Seconds& term : terms) sum += term.at(options);
      fastest = std::min(fastest, sum);
    }
    result.values.push_back(fastest);
  }
  return result;
}

// The choice is made once for all terms that depend on it, or for as many as fit into a table.
std::vector<Outlook::Seconds> Outlook::without(int choice, std::vector<Seconds> terms, const Choices& choices) {
  const auto others = std::stable_partition(terms.begin(), terms.end(),
                                            [choice](const Seconds& term) { return !term.depends_on(choice); });
  std::vector<std::vector<Seconds>> together;
  std::vector<std::vector<int>> scopes;
  for (auto term = others; term != terms.end(); ++term) {
    std::size_t place = 0;
    std::vector<int> scope;
    for (; place < together.size(); ++place) {
      scope = scopes[place];
      add_missing(term->choices, scope);
      if (num_options(scope, choices) <= kMostValues) break;
    }
    if (place == together.size()) {
      together.emplace_back();
      scopes.push_back(scope = term->choices);
    }
    together[place].push_back(std::move(*term));
    scopes[place] = std::move(scope);
  }
  terms.erase(others, terms.end());
  for (const std::vector<Seconds>& some : together) terms.push_back(least(some, choice, choices));
  return terms;
}

}  // namespace meshmul
