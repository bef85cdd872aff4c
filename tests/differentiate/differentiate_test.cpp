#include "meshmul/differentiate.hpp"

#include <gmock/gmock.h>

#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::message_of;

const Mesh kMesh{{"X", 2}};

DifferentiatedProgram differentiated(const std::string& text, Recompute recompute = Recompute::kNothing) {
  return differentiate(parse_program(text, kMesh), recompute);
}

/// The lines of the text that make something.
std::vector<std::string> lines_of(const DifferentiatedProgram& differentiated) {
  const std::string text = to_string(differentiated.program, kMesh);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    if (line.find('=') != std::string::npos && line.find(" = ") != std::string::npos) lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> output_names(const Program& program) {
  std::vector<std::string> names;
  for (const ValueId id : outputs(program)) names.push_back(program.value(id).type.name);
  return names;
}

TEST(Differentiate, AProductHasOneForEachOfItsFactors) {
  EXPECT_THAT(
      lines_of(differentiated("X[B=4, D=3]\nW[D, F=2]\nY = X * W\ngrad Y(dY) -> dX, dW\n")),
      ElementsAre("f32 Y[B=4, F=2]? = X * W", "f32 dX[B=4, D=3] = dY * W like X", "f32 dW[D=3, F=2] = X * dY like W"));
}

TEST(Differentiate, OnlyWhatIsAskedForIsComputed) {
  EXPECT_THAT(lines_of(differentiated("X[B=4, D=3]\nW[D, F=2]\nY = X * W\ngrad Y(dY) -> dW\n")),
              ElementsAre("f32 Y[B=4, F=2]? = X * W", "f32 dW[D=3, F=2] = X * dY like W"));
}

const std::string kMlp =
    "X[B=4, D=3]\nW1[D, F=2]\nW2[F, D]\nH = gelu(X * W1)\nY = H * W2 like X\ngrad Y(dY) -> dX, dW1\n";

TEST(Differentiate, APreactivationIsKept) {
  const DifferentiatedProgram mlp = differentiated(kMlp);
  EXPECT_THAT(lines_of(mlp),
              ElementsAre("f32 preH[B=4, F=2]? = X * W1", "f32 H[B=4, F=2] = gelu(preH) like preH",
                          "f32 Y[B=4, D=3] = H * W2 like X", "f32 dH[B=4, F=2]? = dY * W2",
                          "f32 dpreH[B=4, F=2]? = gelu_grad(preH, dH)", "f32 dX[B=4, D=3] = dpreH * W1 like X",
                          "f32 dW1[D=3, F=2] = X * dpreH like W1"));
  EXPECT_THAT(mlp.activations, ElementsAre(Activation{"preH", false}));
}

TEST(Differentiate, APreactivationIsComputedAgain) {
  const DifferentiatedProgram mlp = differentiated(kMlp, Recompute::kProducts);
  EXPECT_THAT(
      lines_of(mlp),
      ElementsAre("f32 H[B=4, F=2]? = gelu(X * W1)", "f32 Y[B=4, D=3] = H * W2 like X", "f32 dH[B=4, F=2]? = dY * W2",
                  "f32 preH[B=4, F=2]? = X * W1", "f32 dpreH[B=4, F=2]? = gelu_grad(preH, dH)",
                  "f32 dX[B=4, D=3] = dpreH * W1 like X", "f32 dW1[D=3, F=2] = X * dpreH like W1"));
  EXPECT_THAT(mlp.activations, ElementsAre(Activation{"preH", true}));
}

TEST(Differentiate, ReluIsKnownByWhatItReturns) {
  std::string text = kMlp;
  text.replace(text.find("gelu"), 4, "relu");
  const DifferentiatedProgram mlp = differentiated(text);
  EXPECT_THAT(lines_of(mlp)[0], "f32 H[B=4, F=2]? = relu(X * W1)");
  EXPECT_THAT(lines_of(mlp)[3], "f32 dpreH[B=4, F=2]? = relu_grad(H, dH)");
  EXPECT_THAT(output_names(mlp.program), ElementsAre("Y", "dX", "dW1"));
}

TEST(Differentiate, OfAnArrayThatIsUsedTwiceAddsBoth) {
  EXPECT_THAT(
      lines_of(differentiated("X[B=4, D=3]\nV[D, F=2]\nW[D, F]\nP = X * V\nQ = X * W\nY = mul(P, Q)\n"
                              "grad Y(dY) -> dX\n")),
      ElementsAre("f32 P[B=4, F=2]? = X * V", "f32 Q[B=4, F=2]? = X * W", "f32 Y[B=4, F=2]? = mul(P, Q)",
                  "f32 dP[B=4, F=2]? = mul(dY, Q)", "f32 dQ[B=4, F=2]? = mul(dY, P)", "f32 dXn2[B=4, D=3]? = dQ * W",
                  "f32 dXn3[B=4, D=3]? = dP * V", "f32 dX[B=4, D=3] = add(dXn2, dXn3) like X"));
}

TEST(Differentiate, OfABiasIsASumOverTheOtherIndices) {
  EXPECT_THAT(lines_of(differentiated("X[B=4, S=5, D=3]\nb[D]\ns[]\nP = bias(X, b)\nY = scale(P, s)\n"
                                      "grad Y(dY) -> dX, db, ds\n")),
              ElementsAre("f32 P[B=4, S=5, D=3]? = bias(X, b)", "f32 Y[B=4, S=5, D=3]? = scale(P, s)",
                          "f32 dX[B=4, S=5, D=3] = scale(dY, s) like X", "f32 ds[] = dY * P like s",
                          "f32 ones[B=4, S=5]? = one()", "f32 db[D=3] = ones * dX like b"));
}

TEST(Differentiate, ALoopRunsBackward) {
  const DifferentiatedProgram stack = differentiated(
      "X[B=4, D=3]\nW[L=5, D, E=3]\nV[E, D]\nrepeat L as l {\n  H = relu(X * W[l])\n  X = H * V like X\n}\n"
      "grad X(dY) -> dX, dW, dV\n");
  EXPECT_EQ(to_string(stack.program, kMesh),
            "f32 X[B=4, D=3]\nf32 W[L=5, D=3, E=3]\nf32 V[E=3, D=3]\n"
            "repeat L as l {\n"
            "  Xs[l] = X\n"
            "  f32 H[B=4, E=3]? = relu(X * W[l])\n"
            "  Hs[l] = H\n"
            "  f32 X[B=4, D=3] = H * V like X\n"
            "}\n"
            "f32 dVn2[E=3, D=3]? = zero()\n"
            "repeat L as l reversed {\n"
            "  f32 dH[B=4, E=3]? = dXn2 * V\n"
            "  f32 dVn4[E=3, D=3]? = Hs[l] * dXn2\n"
            "  f32 dVn5[E=3, D=3] = add(dVn3, dVn4) like dVn3\n"
            "  f32 dpreH[B=4, E=3]? = relu_grad(Hs[l], dH)\n"
            "  f32 dXn3[B=4, D=3] = dpreH * W[l] like dXn2\n"
            "  f32 dWn2[D=3, E=3] = Xs[l] * dpreH like W\n"
            "  dW[l] = dWn2\n"
            "}\n"
            "f32 dX[B=4, D=3] = convert(dXn3n2) like X\n"
            "f32 dV[E=3, D=3] = convert(dVn5n2) like V\n");
  EXPECT_THAT(output_names(stack.program), ElementsAre("X", "dX", "dW", "dV"));
  EXPECT_THAT(stack.activations, ElementsAre(Activation{"X", false}, Activation{"H", false}));
}

TEST(Differentiate, RecomputesNoMoreThanOneProduct) {
  const std::string deep =
      "X[B=4, D=3]\nU[D, F=2]\nV[F, G=2]\nW[G, E=2]\nP = gelu(X * U)\nQ = gelu(P * V)\nY = Q * W\n"
      "grad Y(dY) -> dU, dV, dW\n";
  EXPECT_THAT(
      differentiated(deep, Recompute::kProducts).activations,
      ElementsAre(Activation{"preQ", false}, Activation{"P", true}, Activation{"preP", true}, Activation{"Q", true}));
  EXPECT_THAT(
      differentiated(deep, Recompute::kFunctions).activations,
      ElementsAre(Activation{"preP", false}, Activation{"preQ", false}, Activation{"P", true}, Activation{"Q", true}));
}

TEST(Differentiate, AProgramWithoutGradientsStaysAsItIs) {
  const Program program = parse_program("X[B=4, D=3]\nW[D, F=2]\nY = gelu(X * W)\n", kMesh);
  EXPECT_EQ(differentiate(program).program, program);
  EXPECT_FALSE(has_gradients(program));
}

TEST(Differentiate, RefusesWhatCannotBeWrittenOut) {
  EXPECT_EQ(message_of([] { differentiated("X[B=4]\nZ[B]\nY = gelu_grad(X, Z)\ngrad Y(dY) -> dX\n"); }),
            "gelu_grad has no gradient with respect to its first array, X");
  EXPECT_EQ(message_of([] {
              differentiated(
                  "X[B=4, D=3]\nW[L=2, D, E=3]\nV[E, D]\nrepeat L as l {\n  Z = X * W[l]\n  X = Z * V like X\n}\n"
                  "T = X * W\ngrad T(dT) -> dW\n");
            }),
            "W is used whole and by slices; the gradients with respect to both cannot be added");
}

}  // namespace
}  // namespace meshmul
