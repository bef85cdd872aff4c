#include "prompt_fabric.hpp"

#include "kernels/kernels.hpp"

namespace meshmul {

PromptFabric::PromptFabric(RunControl& control)
    : control_(control), counts_(static_cast<std::size_t>(control.memory().num_ranks())) {}

std::uint64_t PromptFabric::start(int rank, const TransferOrder& order) {
  step(rank);
  if (order.src.num_elements() > 0) meshmul::copy(order.dst, order.src, {});
  if (order.raise) control_.write(*order.raise->word, order.raise->owner, order.raise->value);
  return counts_[static_cast<std::size_t>(rank)].transfers++;
}

void PromptFabric::raise(int rank, const WordRaise& raise) {
  step(rank);
  control_.write(*raise.word, raise.owner, raise.value);
}

void PromptFabric::wait_for(int rank, const SignalWait& wait) {
  step(rank);
  if (wait.passes()) return;
  control_.note_wait(rank, wait);
  control_.memory().rank(rank).doorbell.wait_until([&] { return control_.is_stopped() || wait.passes(); });
  control_.note_go(rank);
  if (control_.is_stopped()) throw RunStopped{};
}

}  // namespace meshmul
