// Fuzzes what the command line says of hardware: the lines of an input are a profile with a slice, a mesh, a mapping, and
// the settings of the cost model.

#include "lines.hpp"
#include "meshmul/cost_model.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/topology.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace meshmul;
  std::string_view text = fuzz::as_text(data, size);
  const std::string_view profile = fuzz::take_line(text);
  if (profile.find('.') != std::string_view::npos) return 0;  // the path of a file
  const auto hardware = fuzz::read_or_refuse([&] { return find_hardware(profile); });
  const std::optional<Mesh> mesh = fuzz::take_mesh(text);
  const std::string_view mapping_text = fuzz::take_line(text);
  const auto settings = fuzz::read_or_refuse([&] { return parse_cost_settings(text); });
  if (settings)
    fuzz::expect_round_trip(*settings, [](const CostSettings& value) { return to_string(value); }, parse_cost_settings);
  if (!hardware || !mesh) return 0;
  const TopologyRule rule = settings ? settings->topology : TopologyRule::kSlice;
  const auto read = [&](std::string_view mapping) { return parse_mapping(mapping, *mesh, *hardware, rule); };
  const auto mapping = fuzz::read_or_refuse([&] { return read(mapping_text); });
  if (!mapping) return 0;
  fuzz::expect_round_trip(*mapping, [&](const Mapping& value) { return to_string(value, *mesh); }, read);
  resolve(*mapping, *mesh, *hardware, rule);
  return 0;
}
