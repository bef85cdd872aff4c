#include "draw/op_facts.hpp"

#include <fmt/format.h>

#include "schedule/op_regions.hpp"

namespace meshmul::drawing {
namespace {

struct Title {
  const Schedule& schedule;

  std::string operator()(const Put& op) const { return fmt::format("put to {}", op.dst.rank); }
  std::string operator()(const Get& op) const { return fmt::format("get from {}", op.src.rank); }
  std::string operator()(const Signal& op) const { return fmt::format("signal {}", op.peer); }
  std::string operator()(const Wait& op) const {
    return fmt::format("wait {} >= {}", schedule.signals[static_cast<std::size_t>(op.signal)].name, op.threshold);
  }
  std::string operator()(const Copy&) const { return "copy"; }
  std::string operator()(const Reduce&) const { return "reduce"; }
  std::string operator()(const Gemm&) const { return "gemm"; }
  std::string operator()(const Map& op) const { return fmt::format("map {}", name(op.function)); }
};

}  // namespace

std::string op_title(const Schedule& schedule, const Op& op) { return std::visit(Title{schedule}, op); }

std::int64_t written_bytes(const Schedule& schedule, const Op& op) {
  if (is_signal_or_wait(op)) return 0;
  const Region& dst = destination(op);
  return dst.box.num_elements() * size_bytes(schedule.buffers[static_cast<std::size_t>(dst.buffer)].dtype);
}

Route route_of(const Op& op, int rank) {
  if (const auto* put = std::get_if<Put>(&op)) return {rank, put->dst.rank};
  if (const auto* get = std::get_if<Get>(&op)) return {get->src.rank, rank};
  return {rank, rank};
}

}  // namespace meshmul::drawing
