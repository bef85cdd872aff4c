// Fuzzes steps that somebody wrote down: the first line of an input is a mesh, the rest steps between semicolons. What can
// be read is priced.

#include "meshmul/way.hpp"

#include "lines.hpp"

namespace meshmul::fuzz {
namespace {

/// Prices of larger meshes take the same formulas, and longer.
constexpr int kMostPricedDevices = 4096;

void price(const Way& way, const Mesh& mesh) {
  static const Hardware hardware = find_hardware("h100");
  if (mesh.num_devices() > kMostPricedDevices) return;
  const auto priced = read_or_refuse([&] { return price_way(way, mesh, hardware); });
  if (!priced) return;
  expect(priced->seconds_overlapped >= 0 && priced->seconds_overlapped <= priced->seconds_sequential,
         "overlap saves time at most");
  expect(priced->peak_bytes >= 0, "bytes are counted without overflow");
}

}  // namespace
}  // namespace meshmul::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace meshmul;
  std::string_view text = fuzz::as_text(data, size);
  const std::optional<Mesh> mesh = fuzz::take_mesh(text);
  if (!mesh) return 0;
  const auto read = [&](std::string_view steps) { return parse_way(steps, *mesh); };
  const auto way = fuzz::read_or_refuse([&] { return read(text); });
  if (!way) return 0;
  fuzz::expect_round_trip(*way, [&](const Way& value) { return to_string(value, *mesh); }, read);
  inputs(*way);
  to_statement(*way);
  fuzz::price(*way, *mesh);
  return 0;
}
