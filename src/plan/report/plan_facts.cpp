#include "plan/report/plan_facts.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/amounts.hpp"

namespace meshmul {
namespace {

std::string bytes(double amount) { return format_amount(amount, "B"); }

void add(Work& work, const StepCost& cost, double times) {
  work.work_seconds += cost.seconds * times;
  work.flops += cost.flops * times;
  if (cost.seconds < work.longest_seconds) return;
  work.longest_seconds = cost.seconds;
  work.bound = cost.bound;
}

std::string_view name(const Work& work) {
  if (work.functions > 0) return work.products > 0 ? "the products and functions" : "the functions";
  return work.products == 1 ? "the product" : "the products";
}

template <class Priced>
std::vector<std::string> sentences_about(const Priced& priced) {
  std::vector<std::string> sentences;
  sentences.push_back(time_sentence(priced.seconds_sequential, priced.seconds_overlapped, priced.peak_bytes));
  if (const Work work = work_of(priced.steps); work.products > 0) sentences.push_back(bound_sentence(work));
  if (priced.on_chip) sentences.push_back("on the chip: " + on_chip_sentence(*priced.on_chip));
  return sentences;
}

}  // namespace

void Work::add_move(const StepCost& cost, double times) { move_seconds += cost.seconds * times; }

void Work::add_product(const StepCost& cost, double times) {
  ++products;
  add(*this, cost, times);
}

void Work::add_function(const StepCost& cost, double times) {
  ++functions;
  add(*this, cost, times);
}

Work work_of(const std::vector<Step>& steps) {
  Work work;
  for (const Step& step : steps)
    if (const auto* product = std::get_if<LocalProduct>(&step))
      work.add_product(product->cost);
    else
      work.add_move(std::get<Move>(step).cost);
  return work;
}

std::string time_sentence(double seconds_sequential, double seconds_overlapped, std::int64_t peak_bytes) {
  return fmt::format("{} without overlap, at best {} with; {} a device", format_seconds(seconds_sequential),
                     format_seconds(seconds_overlapped), bytes(static_cast<double>(peak_bytes)));
}

std::string bound_sentence(const Work& work) {
  const std::string done = fmt::format("{} a device", format_amount(work.flops, "FLOP"));
  if (work.work_seconds == 0) return done;
  if (work.move_seconds > work.work_seconds)
    return fmt::format("{}; bound by communication: the moves take {} times as long as {}", done,
                       format_number(work.move_seconds / work.work_seconds), name(work));
  const std::string margin = work.move_seconds == 0
                                 ? "nothing is sent"
                                 : fmt::format("{} {} {} times as long as the moves", name(work),
                                               work.products + work.functions == 1 ? "takes" : "take",
                                               format_number(work.work_seconds / work.move_seconds));
  return fmt::format("{}; bound by {}: {}", done, meshmul::name(work.bound), margin);
}

std::string on_chip_sentence(const OnChip& needed) {
  return fmt::format("shards of {}{} {} into {}", bytes(needed.shard_bytes),
                     needed.slot_bytes > 0 ? fmt::format(" and slots of {}", bytes(needed.slot_bytes)) : "",
                     needed.fits() ? "fit" : "do not fit", bytes(static_cast<double>(needed.available_bytes)));
}

std::vector<std::string> total_sentences(const Plan& plan) { return sentences_about(plan); }
std::vector<std::string> total_sentences(const PricedWay& way) { return sentences_about(way); }

}  // namespace meshmul
