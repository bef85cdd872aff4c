// Fuzzes hardware profiles, and the questions that are asked of those that can be read.

#include "meshmul/hardware.hpp"

#include "meshmul/topology.hpp"
#include "promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace meshmul;
  const auto hardware = fuzz::read_or_refuse([&] { return load_hardware(fuzz::as_text(data, size), "fuzz.toml"); });
  if (!hardware) return 0;
  for (const Dtype dtype : kAllDtypes) fuzz::ask([&] { flops_per_second(*hardware, dtype); });
  for (const Mesh& mesh : {Mesh{}, Mesh{{"X", 4}, {"Y", 2}}, Mesh{{"X", 64}}}) {
    fuzz::ask([&] { check_fits(mesh, *hardware); });
    fuzz::ask([&] { placements(mesh, *hardware, TopologyRule::kSlice); });
  }
  return 0;
}
