#include "plan/report/plan_facts.hpp"

#include <fmt/format.h>

#include "base/amounts.hpp"

namespace meshmul {
namespace {

std::string bytes(double amount) { return format_amount(amount, "B"); }

const LocalProduct* product_of(const std::vector<Step>& steps) {
  for (const Step& step : steps)
    if (const auto* product = std::get_if<LocalProduct>(&step)) return product;
  return nullptr;
}

std::string bound_sentence(const Plan& plan, const LocalProduct& product) {
  const std::string flops = format_amount(plan.flops, "FLOP");
  if (plan.product_seconds == 0) return fmt::format("{} a device", flops);
  if (plan.move_seconds > plan.product_seconds)
    return fmt::format("{} a device; bound by communication: the moves take {:.3g} times as long as the product", flops,
                       plan.move_seconds / plan.product_seconds);
  const std::string margin = plan.move_seconds == 0 ? "nothing is sent"
                                                    : fmt::format("the product takes {:.3g} times as long as the moves",
                                                                  plan.product_seconds / plan.move_seconds);
  return fmt::format("{} a device; bound by {}: {}", flops, name(product.cost.bound), margin);
}

std::string on_chip_sentence(const OnChip& needed) {
  return fmt::format("on the chip: shards of {}{} {} into {}", bytes(needed.shard_bytes),
                     needed.slot_bytes > 0 ? fmt::format(" and slots of {}", bytes(needed.slot_bytes)) : "",
                     needed.fits() ? "fit" : "do not fit", bytes(static_cast<double>(needed.available_bytes)));
}

}  // namespace

std::string setting_sentence(const Mesh& mesh, const std::string& hardware) {
  return fmt::format("mesh {}, hardware {}", mesh.num_axes() == 0 ? "of one device" : mesh.str(), hardware);
}

std::vector<std::string> total_sentences(const Plan& plan) {
  std::vector<std::string> sentences;
  sentences.push_back(fmt::format("{} without overlap, at best {} with; {} a device",
                                  format_seconds(plan.seconds_sequential), format_seconds(plan.seconds_overlapped),
                                  bytes(static_cast<double>(plan.peak_bytes))));
  if (const LocalProduct* product = product_of(plan.steps)) sentences.push_back(bound_sentence(plan, *product));
  if (plan.on_chip) sentences.push_back(on_chip_sentence(*plan.on_chip));
  return sentences;
}

}  // namespace meshmul
