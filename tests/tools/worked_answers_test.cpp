// Asks the real program every question of tests/plan/data/worked_answers.json. A case holds the commands that ask it, and
// where in their JSON the answer stands; what is expected is that of the reference, within its tolerance. Where the book
// prints another number the case has both.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/tests_folder.hpp"

namespace {

using nlohmann::json;

const std::string kFolder = (meshmul::testing::tests_folder() / "plan/data").string();

std::vector<json> load_cases() {
  std::ifstream file(kFolder + "/worked_answers.json");
  return json::parse(file).get<std::vector<json>>();
}

struct Answer {
  int exit_code = 0;
  std::string output;
};

/// What the program prints when it is run beside the data.
Answer run(const std::string& command) {
  const std::string programs = std::filesystem::path(MESHMUL_PROGRAM).parent_path().string();
  const std::string line = "cd '" + kFolder + "' && PATH='" + programs + "':$PATH " + command + " 2>&1";
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  Answer answer;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    answer.output.append(buffer.data(), count);
  const int status = pclose(pipe);
  answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return answer;
}

/// The part of the answer to one question that is asked for.
json part(const json& question) {
  const Answer answer = run(question["run"]);
  if (answer.exit_code != 0) throw std::runtime_error(question["run"].get<std::string>() + "\n" + answer.output);
  return json::parse(answer.output).at(json::json_pointer(question["at"].get<std::string>()));
}

/// What is expected in our notation, where that differs from the one of the reference.
json expected(const json& c) { return c.contains("here") ? c["here"] : c["expected"]["value"]; }

void expect_value(const json& c, const json& found) {
  const json wanted = expected(c);
  const double tolerance = c["expected"]["tolerance"];
  if (!wanted.is_number()) {
    EXPECT_EQ(found, wanted);
    return;
  }
  EXPECT_NEAR(found.get<double>(), wanted.get<double>(), std::abs(wanted.get<double>()) * tolerance);
}

void check_values(const json& c) {
  for (const json& question : c["ask"]) expect_value(c, part(question));
}

void check_ratio(const json& c) {
  const json& ask = c["ask"];
  expect_value(c, part(ask[0]).get<double>() / part(ask[1]).get<double>());
}

/// The steps of a way that are not products, as they are written.
json moves(const json& steps) {
  json texts = json::array();
  for (const json& step : steps)
    if (step["step"] != "local product") texts.push_back(step["text"]);
  return texts;
}

std::string without_spaces_before_sums(std::string text) {
  for (std::size_t at = 0; (at = text.find(" {U_", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

/// The ways of which each would be right: a list of steps, or a list of such lists.
std::vector<json> right_ways(const json& wanted) {
  const bool several = !wanted.empty() && wanted.front().is_array();
  std::vector<json> ways = several ? wanted.get<std::vector<json>>() : std::vector<json>{wanted};
  for (json& way : ways)
    for (json& step : way) step = without_spaces_before_sums(step);
  return ways;
}

void check_moves(const json& c) {
  const std::vector<json> ways = right_ways(expected(c));
  for (const json& question : c["ask"]) {
    const json found = moves(part(question));
    EXPECT_NE(std::find(ways.begin(), ways.end(), found), ways.end()) << found << " is none of " << json(ways);
  }
}

/// One name, or all that share the first place.
void check_winner(const json& c) {
  std::map<double, std::vector<std::string>> names_by_seconds;
  for (const json& question : c["ask"]) names_by_seconds[part(question).get<double>()].push_back(question["name"]);
  const json wanted = expected(c);
  const json winners = names_by_seconds.begin()->second;
  EXPECT_EQ(winners, wanted.is_array() ? wanted : json::array({wanted}));
}

void check_refused(const json& c) {
  for (const json& question : c["ask"]) {
    const Answer answer = run(question["run"]);
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_TRUE(answer.output.starts_with("meshmul: error:")) << answer.output;
  }
}

/// A device has the indices from `begin` up to `end`.
void check_indices(const json& c) {
  const json held = part(c["ask"][0]);
  json indices = json::array();
  for (int index = held["begin"]; index < held["end"]; ++index) indices.push_back(index);
  EXPECT_EQ(indices, expected(c));
}

const std::map<std::string, std::function<void(const json&)>> kChecks{
    {"value", check_values},  {"ratio", check_ratio},     {"moves", check_moves},
    {"winner", check_winner}, {"invalid", check_refused}, {"indices", check_indices}};

class WorkedAnswers : public testing::TestWithParam<json> {};

TEST_P(WorkedAnswers, AreGiven) {
  const json& c = GetParam();
  SCOPED_TRACE(c["question"].get<std::string>() + "\n" + c["ask"].dump(1));
  kChecks.at(c["answer"])(c);
}

std::string test_name(const testing::TestParamInfo<json>& info) {
  std::string name = info.param["id"];
  std::replace_if(name.begin(), name.end(), [](unsigned char ch) { return std::isalnum(ch) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Book, WorkedAnswers, testing::ValuesIn(load_cases()), test_name);

}  // namespace
