// Names of the elementwise functions, and how many arrays each reads.

#include "meshmul/map_function.hpp"

#include <array>
#include <cstddef>
#include <iterator>

namespace meshmul {
namespace {

struct Entry {
  std::string_view name;
  int num_sources;
};

/// In the order of MapFunction.
constexpr auto kEntries = std::to_array<Entry>({{"zero", 0},
                                                {"one", 0},
                                                {"gelu", 1},
                                                {"gelu_tanh", 1},
                                                {"silu", 1},
                                                {"relu", 1},
                                                {"gelu_grad", 2},
                                                {"gelu_tanh_grad", 2},
                                                {"silu_grad", 2},
                                                {"relu_grad", 2},
                                                {"add", 2},
                                                {"mul", 2},
                                                {"bias", 2},
                                                {"scale", 2},
                                                {"convert", 1}});
static_assert(kEntries.size() == std::size(kAllMapFunctions), "every function has one entry");

const Entry& entry(MapFunction function) { return kEntries[static_cast<std::size_t>(function)]; }

}  // namespace

std::string_view name(MapFunction function) { return entry(function).name; }

int num_sources(MapFunction function) { return entry(function).num_sources; }

std::optional<MapFunction> parse_map_function(std::string_view text) {
  for (const MapFunction function : kAllMapFunctions)
    if (name(function) == text) return function;
  return std::nullopt;
}

std::optional<MapFunction> gradient_of(MapFunction function) {
  switch (function) {
    case MapFunction::kGelu: return MapFunction::kGeluGrad;
    case MapFunction::kGeluTanh: return MapFunction::kGeluTanhGrad;
    case MapFunction::kSilu: return MapFunction::kSiluGrad;
    case MapFunction::kRelu: return MapFunction::kReluGrad;
    default: return std::nullopt;
  }
}

}  // namespace meshmul
