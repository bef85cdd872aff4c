#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"
#include "meshmul/check.hpp"
#include "meshmul/differentiate.hpp"
#include "meshmul/error.hpp"
#include "meshmul/random.hpp"

namespace meshmul {
namespace {

const Mesh kOneDevice;

// Carries out a program in its own dtypes on one device: by the kernels, statement after statement.
class OneDevice {
 public:
  explicit OneDevice(const std::string& text, std::int64_t whole_numbers_to = 0)
      : program_(parse_program(text, kOneDevice)), library_(make_local_products("")) {
    for (const ValueId id : inputs(program_)) {
      const ArrayType& type = program_.value(id).type;
      values_[id] = random_array(type.dtype, global_shape(type), {static_cast<std::uint64_t>(id), whole_numbers_to});
      given.push_back(values_[id]);
    }
    for (const ProgramItem& item : program_.items) do_item(item);
    for (const ValueId id : outputs(program_)) made.push_back(values_.at(id));
  }

  std::vector<CheckResult> check(const CheckOptions& options = {}) const {
    return meshmul::check(program_, terms(given), terms(made), options);
  }

  std::vector<HostArray> given, made;

 private:
  static std::vector<Terms> terms(const std::vector<HostArray>& arrays) {
    std::vector<Terms> terms;
    for (const HostArray& array : arrays) terms.push_back({&array});
    return terms;
  }

  void do_item(const ProgramItem& item) {
    if (const auto* statement = std::get_if<ProgramStatement>(&item)) return do_once(*statement);
    const auto& loop = std::get<Repeat>(item);
    for (pass_ = 0; pass_ < loop.count; ++pass_) {
      for (const Carry& carry : loop.carries) values_[carry.begin] = values_.at(pass_ == 0 ? carry.before : carry.end);
      for (const ProgramStatement& statement : loop.body) do_once(statement);
    }
    for (const Carry& carry : loop.carries) values_[carry.after] = values_.at(carry.end);
  }

  ConstView read(const Use& use) const {
    const HostArray& whole = values_.at(use.value);
    if (!use.sliced) return whole.view();
    ConstView slice = whole.view();
    slice.data += pass_ * slice.strides[0] * size_bytes(slice.dtype);
    for (std::size_t d = 1; d < slice.extents.size(); ++d) {
      slice.extents[d - 1] = slice.extents[d];
      slice.strides[d - 1] = slice.strides[d];
    }
    --slice.num_dims;
    return slice;
  }

  // Products are those of matrices, `ij,jk->ik`.
  void do_once(const ProgramStatement& statement) {
    if (const auto* product = std::get_if<ProductStatement>(&statement)) {
      const ArrayType type = product_of(program_, *product).c;
      HostArray sums(type.dtype, global_shape(type));
      library_->gemm(sums.view(), read(product->a), read(product->b), {"ij", "jk", "ik"}, false);
      HostArray result(program_.value(product->result).type.dtype, global_shape(type));
      const std::vector<ConstView> sources = {sums.view()};
      meshmul::map(result.view(), product->function.value_or(MapFunction::kConvert), sources);
      values_[product->result] = std::move(result);
      return;
    }
    const auto& map = std::get<MapStatement>(statement);
    const ArrayType& type = program_.value(map.result).type;
    HostArray result(type.dtype, global_shape(type));
    std::vector<ConstView> sources;
    for (const Use& use : map.sources) sources.push_back(read(use));
    std::optional<int> along;
    if (sources.size() == 2 && sources[1].num_dims == 1) along = sources[0].num_dims - 1;
    meshmul::map(result.view(), map.function, sources, along);
    values_[map.result] = std::move(result);
  }

  Program program_;
  std::unique_ptr<LocalProductLibrary> library_;
  std::map<ValueId, HostArray> values_;
  std::int64_t pass_ = 0;
};

std::string stack(const std::string& dtype, const std::string& function, const std::string& layers) {
  return dtype + " X[B=24, D=40]\nW1[L=" + layers + ", D, F=120]\nW2[L, F, D]\nrepeat L as l {\n  H = " + function +
         "(X * W1[l])\n  X = H * W2[l] like X\n}\n";
}

TEST(CheckProgram, AcceptsWhatOneDeviceMakes) {
  for (const std::string dtype : {"f64", "f32", "bf16"})
    for (const std::string function : {"gelu", "gelu_tanh", "silu", "relu"})
      for (const std::string layers : {"1", "4"}) {
        const CheckResult result = OneDevice(stack(dtype, function, layers)).check().front();
        EXPECT_TRUE(result.ok) << dtype << " " << function << ": " << to_string(result);
        EXPECT_EQ(result.elements_checked, 24 * 40);
        EXPECT_GT(result.element->bound, 0);
      }
}

// As if `terms` of the 120 terms of column 7 were lost in the last layer.
CheckResult check_without_terms(const std::string& dtype, std::int64_t terms) {
  OneDevice run(stack(dtype, "gelu", "2"));
  HostArray& weights = run.given[2];
  for (std::int64_t term = 0; term < terms; ++term) weights.set(weights.num_elements() / 2 + 40 * term + 7, 0);
  return run.check().front();
}

TEST(CheckProgram, FindsOneTermThatIsMissing) {
  const CheckResult result = check_without_terms("f32", 1);
  EXPECT_FALSE(result.ok) << to_string(result);
  EXPECT_EQ(result.element->position.back(), 7);
}

TEST(CheckProgram, FindsMissingTermsThatRoundingsToEightBitsDoNotExplain) {
  const CheckResult result = check_without_terms("bf16", 30);  // the part of one of four devices
  EXPECT_FALSE(result.ok) << to_string(result);
  EXPECT_EQ(result.element->position.back(), 7);
}

TEST(CheckProgram, WholeNumbersAreExact) {
  const CheckResult right = OneDevice(stack("f32", "relu", "2"), 1).check().front();
  EXPECT_TRUE(right.ok);
  EXPECT_EQ(right.method, "every element recomputed exactly");
  EXPECT_EQ(right.element->bound, 0);
  OneDevice wrong(stack("f32", "relu", "2"), 1);
  wrong.made[0].set(5, wrong.made[0][5] + 1);
  EXPECT_FALSE(wrong.check().front().ok);
}

// The loop keeps S of every pass for the way back: first the given one, in f32, then those that it made.
TEST(CheckProgram, RecomputesWhatALoopStacks) {
  const Program program =
      differentiate(parse_program("S[B=2]\nG[L=3, B]\nrepeat L as l {\n  S = mul(S, G[l])\n}\ngrad S(dS) -> dG\n", {}))
          .program;
  const auto array = [](const Shape& shape, const std::vector<double>& values) {
    HostArray made(dtype::f32, shape);
    for (std::size_t i = 0; i < values.size(); ++i) made.set(static_cast<std::int64_t>(i), values[i]);
    return made;
  };
  const HostArray s = array({2}, {2, 3});
  const HostArray g = array({3, 2}, {1, 2, 3, 4, 5, 6});
  const HostArray ds = array({2}, {1, -1});
  const HostArray product = array({2}, {30, 144});
  HostArray dg = array({3, 2}, {30, -72, 10, -36, 6, -24});
  const auto results = [&] { return check(program, {{&s}, {&g}, {&ds}}, {{&product}, {&dg}}); };
  for (const CheckResult& result : results()) EXPECT_TRUE(result.ok) << to_string(result);
  dg.set(3, -35);
  EXPECT_TRUE(results().front().ok);
  EXPECT_FALSE(results().back().ok);
}

TEST(CheckProgram, IntegersWrap) {
  const CheckResult result = OneDevice(stack("i32", "relu", "4")).check().front();
  EXPECT_TRUE(result.ok) << to_string(result);
  EXPECT_EQ(result.element->error, 0);
}

TEST(CheckProgram, AcceptsErrorsThatAddUp) {
  OneDevice run(
      "bf16 X[B=8, D=64]\nW1[D, F=2048]\nW2[F, D]\nA = mul(X, X)\nV = mul(W1, W1)\nU = mul(W2, W2)\nH = A * V\nY = H * "
      "U\n");
  const CheckResult result = run.check().front();
  EXPECT_TRUE(result.ok) << "all is positive: " << to_string(result);
}

TEST(CheckProgram, EveryOutputIsChecked) {
  OneDevice run(
      "f32 X[B=6, D=5]\nW[D, F=4]\nb[F]\nP = X * W\nY = bias(P, b)\nZ = scale(P, b)\nbf16 V[B, F] = convert(P)\n");
  run.made[2].set(3, 100);
  const std::vector<CheckResult> results = run.check();
  ASSERT_EQ(results.size(), 3U);
  EXPECT_TRUE(results[0].ok && results[1].ok);
  EXPECT_FALSE(results[2].ok);
}

TEST(CheckProgram, ASingleNumberHasABoundToo) {
  OneDevice run("f32 X[B=1, D=300]\nW[D, F=1]\nY = gelu(X * W)\n");
  const CheckResult right = run.check().front();
  EXPECT_TRUE(right.ok) << to_string(right);
  EXPECT_LT(right.element->bound, 1e-2);
}

TEST(CheckProgram, ArraysHaveTheShapesOfTheProgram) {
  OneDevice run(stack("f32", "relu", "1"));
  run.made[0] = HostArray(Dtype::kF32, {24, 39});
  try {
    run.check();
    FAIL() << "one column is missing";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "array X has shape [24, 39]; expected [24, 40]");
  }
}

}  // namespace
}  // namespace meshmul
