#include "op_regions.hpp"

#include <cassert>

namespace meshmul {
namespace {

Region* destination_of(Put& op) { return &op.dst; }
Region* destination_of(Get& op) { return &op.dst; }
Region* destination_of(Signal&) { return nullptr; }
Region* destination_of(Wait&) { return nullptr; }
Region* destination_of(Copy& op) { return &op.dst; }
Region* destination_of(Reduce& op) { return &op.dst; }
Region* destination_of(Gemm& op) { return &op.c; }
Region* destination_of(Map& op) { return &op.dst; }

using Sources = std::vector<std::reference_wrapper<Region>>;
Sources sources_of(Put& op) { return {op.src}; }
Sources sources_of(Get& op) { return {op.src}; }
Sources sources_of(Signal&) { return {}; }
Sources sources_of(Wait&) { return {}; }
Sources sources_of(Copy& op) { return {op.src}; }
Sources sources_of(Reduce& op) { return {op.src}; }
Sources sources_of(Gemm& op) { return {op.a, op.b}; }
Sources sources_of(Map& op) { return {op.srcs.begin(), op.srcs.end()}; }

}  // namespace

bool is_put_or_get(const Op& op) { return std::holds_alternative<Put>(op) || std::holds_alternative<Get>(op); }

bool is_signal_or_wait(const Op& op) { return std::holds_alternative<Signal>(op) || std::holds_alternative<Wait>(op); }

Region& destination(Op& op) {
  assert(!is_signal_or_wait(op));
  return *std::visit([](auto& alternative) { return destination_of(alternative); }, op);
}

const Region& destination(const Op& op) { return destination(const_cast<Op&>(op)); }

Sources sources(Op& op) {
  return std::visit([](auto& alternative) { return sources_of(alternative); }, op);
}

std::vector<Region> sources(const Op& op) {
  const Sources regions = sources(const_cast<Op&>(op));
  return {regions.begin(), regions.end()};
}

bool reads_destination(const Op& op) {
  const auto* gemm = std::get_if<Gemm>(&op);
  return std::holds_alternative<Reduce>(op) || (gemm != nullptr && gemm->accumulate);
}

void set_arrived(Op& op, int signal) {
  std::visit(
      [signal](auto& alternative) {
        if constexpr (requires { alternative.arrived; })
          alternative.arrived = signal;
        else
          alternative.signal = signal;
      },
      op);
}

void clear_arrived(Op& op) {
  std::visit(
      [](auto& alternative) {
        if constexpr (requires { alternative.arrived.reset(); }) alternative.arrived.reset();
      },
      op);
}

void set_read_done(Op& op, int signal) {
  if (auto* put = std::get_if<Put>(&op))
    put->sent = signal;
  else
    std::get<Get>(op).taken = signal;
}

}  // namespace meshmul
