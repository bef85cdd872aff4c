#pragma once
// Random schedules for the text form: any names, boxes and ops. They obey the grammar, not the rules of the verifier.

#include <random>
#include <string>

#include "meshmul/schedule.hpp"

namespace meshmul::testing {

class RandomSchedule {
 public:
  explicit RandomSchedule(std::uint64_t seed) : random_(seed) {}

  Schedule make() {
    Schedule schedule;
    schedule.contract.mesh = below(4) == 0 ? Mesh{} : Mesh{{"X", 1 + below(3)}, {"data", 1 + below(2)}};
    num_ranks_ = schedule.contract.mesh.num_devices();
    const bool has_axes = schedule.contract.mesh.num_axes() > 0;
    for (const char* text :
         {"bf16 A[I=7_X, J=4] * B[J, K=5_{data}] -> C[I_X, K_{data}]", "f32 A[I=7_X, J=4]{U_{data}} -> A[J, I]{U_X}",
          "AllGather_X(i8 A[I=7_X, J=4_{data}])", "bf16 H[I=7_X, J=4] = gelu(bf16 C[I_X, J])",
          "i32 V[J=4, I=7_X]{U_{data}} = convert(f16 H[I_X, J])", "f32 S[I=7, J=4_X] = bias(f32 H[I, J_X], f32 v[J_X])",
          "i8 M[I=7] = mul(i8 S[I], i8 S[I])"})
      if (has_axes && coin())
        schedule.contract.statements.push_back(parse_contract_statement(text, schedule.contract.mesh));
    schedule.contract.displaced = coin();
    schedule.capabilities = {coin(), coin(), coin(), coin()};
    for (std::int64_t i = 1 + below(4); i > 0; --i) schedule.buffers.push_back(buffer(i));
    for (std::int64_t i = 1 + below(4); i > 0; --i) schedule.signals.push_back({"s_" + std::to_string(i)});
    num_buffers_ = static_cast<int>(schedule.buffers.size());
    num_signals_ = static_cast<int>(schedule.signals.size());
    for (std::int64_t i = below(4); i > 0; --i) schedule.contract.inputs.push_back({"A", box(), region()});
    for (std::int64_t i = below(4); i > 0; --i) schedule.contract.outputs.push_back({"C", box(), region()});
    for (int rank = 0; rank < num_ranks_; ++rank) schedule.ranks.push_back(program());
    return schedule;
  }

 private:
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }
  bool coin() { return below(2) == 0; }
  int rank() { return static_cast<int>(below(num_ranks_)); }
  int signal() { return static_cast<int>(below(num_signals_)); }
  std::optional<int> maybe_signal() { return coin() ? std::optional(signal()) : std::nullopt; }

  BufferDecl buffer(std::int64_t number) {
    Shape shape;
    for (std::int64_t d = below(4); d > 0; --d) shape.push_back(below(10));
    return {"b." + std::to_string(number), kAllDtypes[below(std::size(kAllDtypes))], shape, coin()};
  }

  Box box() {
    Box box;
    for (std::int64_t d = below(kMaxDims + 1); d > 0; --d) {
      const std::int64_t begin = below(std::int64_t{1} << 40);
      box.push_back({begin, begin + below(100)});
    }
    return box;
  }

  Region region() { return {rank(), static_cast<int>(below(num_buffers_)), box()}; }

  std::vector<int> permutation(int num_dims) {
    std::vector<int> dims;
    if (coin())
      for (int d = num_dims - 1; d >= 0; --d) dims.push_back(d);
    return dims;
  }

  Op op() {
    Region dst = region();
    const std::vector<int> dims = permutation(dst.box.num_dims());
    switch (below(8)) {
      case 0: return Put{dst, region(), signal(), maybe_signal()};
      case 1: return Get{dst, region(), signal(), maybe_signal()};
      case 2: return Signal{rank(), signal()};
      case 3: return Wait{signal(), random_() >> 1U};
      case 4: return Copy{dst, region(), dims, maybe_signal()};
      case 5: return Reduce{dst, region(), dims, maybe_signal()};
      case 6: return Gemm{dst, region(), region(), coin() ? "bij,bjk->bik" : "i,i->", coin(), maybe_signal()};
      default: {
        Map map{dst, static_cast<MapFunction>(below(10)), {}, maybe_signal()};
        for (int i = 0; i < num_sources(map.function); ++i) map.srcs.push_back(region());
        const int num_dims = map.dst.box.num_dims();
        if (num_dims > 0 && coin()) map.along = static_cast<int>(below(num_dims));
        return map;
      }
    }
  }

  RankProgram program() {
    RankProgram program;
    for (std::int64_t i = below(3); i > 0; --i) {
      Lane lane{"copy" + std::to_string(i), {}};
      for (std::int64_t ops = below(12); ops > 0; --ops) lane.ops.push_back(op());
      program.lanes.push_back(std::move(lane));
    }
    return program;
  }

  std::mt19937_64 random_;
  int num_ranks_ = 1;
  int num_buffers_ = 0;
  int num_signals_ = 0;
};

}  // namespace meshmul::testing
