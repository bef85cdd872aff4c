#include "longest_op.hpp"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "base/einsum.hpp"
#include "schedule/effects.hpp"
#include "schedule/merged_gemms.hpp"

namespace meshmul {
namespace {

double num_bytes(const Schedule& schedule, const Region& region) {
  const Dtype dtype = schedule.buffers[static_cast<std::size_t>(region.buffer)].dtype;
  return static_cast<double>(region.box.num_elements()) * static_cast<double>(size_bytes(dtype));
}

// Two for each combination of the letters.
double num_flops(const Gemm& op) {
  const Einsum einsum = parse_einsum(op.einsum);
  double flops = 2;
  for (std::size_t i = 0; i < einsum.a.size(); ++i) flops *= static_cast<double>(op.a.box[static_cast<int>(i)].size());
  for (std::size_t i = 0; i < einsum.b.size(); ++i)
    if (einsum.a.find(einsum.b[i]) == std::string::npos)
      flops *= static_cast<double>(op.b.box[static_cast<int>(i)].size());
  return flops;
}

}  // namespace

double longest_op_seconds(const Schedule& schedule, std::string_view kernels, int num_cores) {
  constexpr double kBytesPerSecond = 1e9;
  constexpr double kTunedFlopsPerSecond = 1e10;
  constexpr double kReferenceFlopsPerSecond = 1e8;
  const double flops_per_second = kernels == "reference" ? kReferenceFlopsPerSecond : kTunedFlopsPerSecond;

  double longest = 0;
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes) {
      std::vector<double> seconds;
      for (const Op& op : lane.ops) {
        const Effects effects = effects_of(op, rank);
        double bytes = 0;
        for (const Region& region : effects.reads) bytes += num_bytes(schedule, region);
        for (const Region& region : effects.writes) bytes += num_bytes(schedule, region);
        const auto* gemm = std::get_if<Gemm>(&op);
        const double flops = gemm == nullptr ? 0 : num_flops(*gemm);
        seconds.push_back(flops / flops_per_second + bytes / kBytesPerSecond);
        longest = std::max(longest, seconds.back());
      }
      for (const MergedGemm& merged : merged_gemms(schedule, lane)) {
        double together = 0;
        for (const int op : merged.ops) together += seconds[static_cast<std::size_t>(op)];
        longest = std::max(longest, together);
      }
    }
  }
  return longest * std::ceil(static_cast<double>(schedule.num_ranks()) / std::max(1, num_cores));
}

}  // namespace meshmul
