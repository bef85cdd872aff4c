#pragma once
// What is said in sentences about a plan or a way as a whole.

#include <cstdint>
#include <string>
#include <vector>

#include "meshmul/plan.hpp"
#include "meshmul/way.hpp"

namespace meshmul {

/// `1.09 ms without overlap, at best 746 us with; 126 MB a device`
std::string time_sentence(double seconds_sequential, double seconds_overlapped, std::int64_t peak_bytes);

/// What the steps of a plan, a way or a program take together.
struct Work {
  double move_seconds = 0;
  double work_seconds = 0;  ///< of products and functions
  double flops = 0;
  int products = 0;
  int functions = 0;
  double longest_seconds = 0;  ///< of the product or function that takes longest
  Bound bound = Bound::kNone;  ///< what bounds it

  void add_move(const StepCost& cost, double times = 1);
  void add_product(const StepCost& cost, double times = 1);
  void add_function(const StepCost& cost, double times = 1);
};
Work work_of(const std::vector<Step>& steps);

/// `68.7 GFLOP a device; bound by communication: the moves take 2.14 times as long as the product`
std::string bound_sentence(const Work& work);

/// `shards of 75.5 MB and slots of 16.8 MB fit into 134 MB`
std::string on_chip_sentence(const OnChip& needed);

/// Times with and without overlap and memory; FLOPs and what bounds the steps, by which factor; whether shards and slots
/// fit the memory on the chip. The last two where there is a product, as far as the hardware is known.
std::vector<std::string> total_sentences(const Plan& plan);
std::vector<std::string> total_sentences(const PricedWay& way);

}  // namespace meshmul
