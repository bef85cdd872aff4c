#include "plan/program/tasks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "meshmul/differentiate.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

const Mesh kX2{{"X", 2}};

std::string names(const Program& program, const std::vector<ValueId>& values) {
  std::vector<std::string> texts;
  for (const ValueId id : values) texts.push_back(fmt::format("{}{}", program.value(id).type.name, id));
  return fmt::format("{}", fmt::join(texts, " "));
}

/// `4x X0 W1 -> H3, keeps X0, finishes Y5`: names with the numbers of values.
std::vector<std::string> tasks(const Program& program) {
  std::vector<std::string> lines;
  for (const Task& task : tasks_of(program)) {
    std::vector<ValueId> sources;
    for (const Use& use : task.sources) sources.push_back(use.value);
    std::string line = fmt::format("{} -> {}", names(program, sources), names(program, {task.result}));
    if (task.times != 1) line = fmt::format("{}x {}", task.times, line);
    if (!task.kept.empty()) line += ", keeps " + names(program, task.kept);
    if (!task.finished.empty()) line += ", finishes " + names(program, task.finished);
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> tasks(const std::string& text) { return tasks(parse_program(text, kX2)); }

TEST(Tasks, KeepMadeArraysUpToTheirLastUseAndOutputsForever) {
  EXPECT_THAT(tasks("A[I=4, J=4]\nB[J, K=4]\nC[K, J2=4]\nH = A * B\nG = relu(H)\nY = G * C\nZ = relu(H)\n"),
              ElementsAre("A0 B1 -> H3", "H3 -> G4, keeps H3", "G4 C2 -> Y5, keeps H3 G4, finishes Y5",
                          "H3 -> Z6, keeps H3, finishes Z6"));
}

TEST(Tasks, LayOutALoopWithTheMovesOfItsCarriedArrays) {
  EXPECT_THAT(
      tasks("X[B=4, D=4]\nW[L=3, D, E=4]\nV[E, D]\nrepeat L as l {\n  H = X * W[l]\n  X = H * V\n}\nY = relu(X)\n"),
      ElementsAre("X0 -> X3", "3x X3 W1 -> H4, keeps X3", "3x H4 V2 -> X5, keeps H4", "2x X5 -> X3, keeps X5",
                  "X6 -> Y7, keeps X6, finishes Y7"));
}

TEST(Tasks, KeepWhatEveryPassReadsThroughAllPasses) {
  EXPECT_THAT(
      tasks("X[B=4, D=4]\nW[L=3, D, E=4]\nV[E, D]\nR = relu(X)\nrepeat L as l {\n  G = add(X, R)\n  H = G * W[l]\n"
            "  X = H * V\n}\n"),
      ElementsAre("X0 -> R3", "X0 -> X4, keeps R3", "3x X4 R3 -> G5, keeps R3 X4", "3x G5 W1 -> H6, keeps R3 G5",
                  "3x H6 V2 -> X7, keeps R3 H6", "2x X7 -> X4, keeps R3 X7, finishes X8"));
}

TEST(Tasks, OfOnePassHaveNoNextPass) {
  EXPECT_THAT(tasks("X[B=4, D=4]\nW[L=1, D, E=4]\nV[E, D]\nrepeat L as l {\n  H = X * W[l]\n  X = H * V\n}\n"),
              ElementsAre("X0 -> X3", "X3 W1 -> H4, keeps X3", "H4 V2 -> X5, keeps H4, finishes X6"));
}

TEST(Tasks, KeepStacksFromTheirLoopOnAndSlicesNowhereElse) {
  const Program program = parse_program(
      "X[B=4, D=4]\nW[L=3, D, D2=4]\nV[D2, D]\nrepeat L as l {\n  H = X * W[l]\n  X = H * V\n}\n"
      "grad X(dY) -> dW\n",
      kX2);
  EXPECT_THAT(tasks(differentiate(program).program),
              ElementsAre("X0 -> X3, keeps Xs7", "3x X3 W1 -> H4, keeps Xs7", "3x H4 V2 -> X5, keeps H4 Xs7",
                          "2x X5 -> X3, keeps X5 Xs7, finishes X6", "dY8 -> dX9, keeps Xs7 dW14",
                          "3x dX9 V2 -> dH10, keeps Xs7 dX9 dW14", "3x dH10 W1 -> dXn211, keeps Xs7 dH10 dW14",
                          "3x Xs7 dH10 -> dWn212, keeps Xs7 dH10 dXn211 dW14",
                          "2x dXn211 -> dX9, keeps Xs7 dXn211 dW14, finishes dW14"));
}

}  // namespace
}  // namespace meshmul
