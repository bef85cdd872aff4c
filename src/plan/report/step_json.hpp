#pragma once
// Steps as JSON, for plans and ways alike.

#include <nlohmann/json.hpp>
#include <vector>

#include "meshmul/plan.hpp"

namespace meshmul {

/// Keeps the order in which members are written.
using Json = nlohmann::ordered_json;

/// Each step with all its numbers; seconds, bytes and FLOPs without prefixes.
Json to_json(const Step& step, const Mesh& mesh);
Json to_json(const std::vector<Step>& steps, const Mesh& mesh);

/// What a product needs on the chip, and whether that fits.
Json to_json(const OnChip& needed);

}  // namespace meshmul
