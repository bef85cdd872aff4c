// The worked answers of "How to Scale Your Model", part 3, that this cost model gives: tests/plan/data/worked_answers.json.
// A case names its check; arrays and statements are in our notation, where the last axis of a dimension is the minor one.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "meshmul/error.hpp"
#include "meshmul/layout.hpp"
#include "meshmul/plan.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {
namespace {

using nlohmann::json;
using Labels = std::vector<std::string>;

std::vector<json> load_cases() {
  std::ifstream file(MESHMUL_TESTS_DIR "/plan/data/worked_answers.json");
  return json::parse(file).get<std::vector<json>>();
}

/// A case with what most checks ask of it.
struct Case {
  json fields;
  Mesh mesh = fields.contains("mesh") ? parse_mesh(fields["mesh"].get<std::string>()) : Mesh{};

  json expected() const { return fields["expected"]; }
  double tolerance() const { return fields.value("tolerance", 0.0); }
  ArrayType array() const { return parse_array(fields["array"].get<std::string>(), mesh); }
  std::string statement() const { return fields["statement"]; }

  Plan planned(const std::string& text, const PlanOptions& options = {}) const {
    return plan(parse_statement(text, mesh), mesh, find_hardware(fields["hardware"].get<std::string>()), options);
  }
};

/// Labels of the moves: `AllGather_X of B`.
Labels moves(const std::vector<Step>& steps, const Mesh& mesh) {
  Labels labels;
  for (const Step& step : steps)
    if (std::holds_alternative<Move>(step)) labels.push_back(step_label(step, mesh));
  return labels;
}

struct Seconds {
  double moves = 0;
  double product = 0;
  double overlapped() const { return std::max(moves, product); }
};

Seconds seconds(const std::vector<Step>& steps) {
  Seconds sum;
  for (const Step& step : steps)
    std::visit(
        [&](const auto& s) { (std::is_same_v<decltype(s), const Move&> ? sum.moves : sum.product) += s.cost.seconds; },
        step);
  return sum;
}

/// The way with these moves, among the best and all others.
Seconds seconds_of_way(const Case& c, const Labels& way) {
  PlanOptions all;
  all.max_rejected = 100'000;
  const Plan found = c.planned(c.statement(), all);
  if (moves(found.steps, c.mesh) == way) return seconds(found.steps);
  for (const RejectedPlan& loser : found.rejected)
    if (moves(loser.steps, c.mesh) == way) return seconds(loser.steps);
  ADD_FAILURE() << "no way has the moves " << testing::PrintToString(way);
  return {};
}

double move_seconds(const Case& c, const std::string& statement) { return seconds(c.planned(statement).steps).moves; }

void expect_near(const Case& c, double value) {
  const double expected = c.expected();
  EXPECT_NEAR(value, expected, std::abs(expected) * c.tolerance());
}

double total_bytes(const ArrayType& array) {
  return static_cast<double>(Box::whole(global_shape(array)).num_elements() * size_bytes(array.dtype));
}

const std::map<std::string, std::function<void(const Case&)>>& checks() {
  static const std::map<std::string, std::function<void(const Case&)>> kChecks{
      {"local_shape", [](const Case& c) { EXPECT_EQ(max_local_shape(c.array(), c.mesh), c.expected().get<Shape>()); }},
      {"local_bytes", [](const Case& c) { expect_near(c, static_cast<double>(max_local_bytes(c.array(), c.mesh))); }},
      {"array_bytes", [](const Case& c) { expect_near(c, total_bytes(c.array())); }},
      {"all_bytes",
       [](const Case& c) {
         expect_near(c, static_cast<double>(max_local_bytes(c.array(), c.mesh) * c.mesh.num_devices()));
       }},
      {"copies",
       [](const Case& c) {
         const auto local = static_cast<double>(max_local_bytes(c.array(), c.mesh));
         expect_near(c, local * c.mesh.num_devices() / total_bytes(c.array()));
       }},
      {"fraction",
       [](const Case& c) {
         expect_near(c, static_cast<double>(max_local_bytes(c.array(), c.mesh)) / total_bytes(c.array()));
       }},
      {"shards",
       [](const Case& c) {
         expect_near(c, total_bytes(c.array()) / static_cast<double>(max_local_bytes(c.array(), c.mesh)));
       }},
      {"local_interval",
       [](const Case& c) {
         const Interval held = local_interval(c.array(), c.mesh, c.fields["device"], c.fields["dim"]);
         EXPECT_EQ(json({held.begin, held.end}), c.expected());
       }},
      {"invalid", [](const Case& c) { EXPECT_THROW(parse_statement(c.statement(), c.mesh), Error); }},
      {"moves",
       [](const Case& c) {
         EXPECT_THAT(c.expected().get<std::vector<Labels>>(),
                     testing::Contains(moves(c.planned(c.statement()).steps, c.mesh)));
       }},
      {"move_seconds",
       [](const Case& c) {
         double sum = 0;
         for (const std::string statement : c.fields["statements"]) sum += move_seconds(c, statement);
         expect_near(c, sum);
       }},
      {"ratio_of_seconds",
       [](const Case& c) {
         const json& statements = c.fields["statements"];
         expect_near(c, move_seconds(c, statements[0]) / move_seconds(c, statements[1]));
       }},
      {"latency_seconds",
       [](const Case& c) {
         const auto move = std::get<Move>(c.planned(c.statement()).steps.front());
         const Hardware hardware = find_hardware(c.fields["hardware"].get<std::string>());
         expect_near(c, move.cost.hops * hardware.network.hop_seconds);
       }},
      {"bound",
       [](const Case& c) {
         const auto move = std::get<Move>(c.planned(c.statement()).steps.front());
         EXPECT_EQ(json(std::string(name(move.cost.bound))), c.expected());
       }},
      {"move_seconds_of_way", [](const Case& c) { expect_near(c, seconds_of_way(c, c.fields["way"]).moves); }},
      {"overlapped_seconds_of_way",
       [](const Case& c) { expect_near(c, seconds_of_way(c, c.fields["way"]).overlapped()); }},
      {"fastest_way",
       [](const Case& c) {
         std::map<double, Labels> names_by_seconds;
         for (const auto& [name, way] : c.fields["ways"].items())
           names_by_seconds[seconds_of_way(c, way).overlapped()].push_back(name);
         const Labels winners = names_by_seconds.begin()->second;
         EXPECT_EQ(c.expected().is_string() ? json(winners.front()) : json(winners), c.expected());
         EXPECT_TRUE(c.expected().is_array() || winners.size() == 1);
       }},
  };
  return kChecks;
}

class WorkedAnswers : public testing::TestWithParam<json> {};

TEST_P(WorkedAnswers, IsGiven) {
  const Case c{GetParam()};
  SCOPED_TRACE(c.fields["question"].get<std::string>());
  const auto check = checks().find(c.fields["check"].get<std::string>());
  ASSERT_NE(check, checks().end());
  check->second(c);
}

std::string test_name(const testing::TestParamInfo<json>& info) {
  std::string name = fmt::format("{:02}_{}", info.index, info.param["id"].get<std::string>());
  std::replace_if(name.begin(), name.end(), [](unsigned char ch) { return std::isalnum(ch) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Book, WorkedAnswers, testing::ValuesIn(load_cases()), test_name);

}  // namespace
}  // namespace meshmul
