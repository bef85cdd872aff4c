#pragma once
// What is said about a plan as a whole, in sentences.

#include <string>
#include <vector>

#include "meshmul/plan.hpp"

namespace meshmul {

/// `mesh X=4,Y=4, hardware v5e:4x4`
std::string setting_sentence(const Mesh& mesh, const std::string& hardware);

/// Times with and without overlap and memory; FLOPs and what bounds the plan, by which factor; whether shards and slots
/// fit the memory on the chip. The last two for plans with a product, as far as the hardware is known.
std::vector<std::string> total_sentences(const Plan& plan);

}  // namespace meshmul
