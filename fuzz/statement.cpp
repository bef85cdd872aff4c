// Fuzzes the notation: the first line of an input is a mesh, the rest a statement, or a single array.

#include "meshmul/statement.hpp"

#include <variant>

#include "lines.hpp"
#include "meshmul/layout.hpp"

namespace meshmul::fuzz {
namespace {

/// The arithmetic on sizes that planning begins with.
void use_sizes(const Statement& statement, const Mesh& mesh) {
  const auto use = [&](const ArrayType& type) {
    expect(max_local_bytes(type, mesh) >= 0, "bytes are counted without overflow");
    for (const int device : {0, mesh.num_devices() - 1})
      expect(Box::whole(global_shape(type)).contains(local_box(type, mesh, device)), "a shard lies in its array");
  };
  for (const ArrayType* input : inputs(statement)) use(*input);
  use(output(statement));
}

void read_array(std::string_view text, const Mesh& mesh) {
  const auto read = [&](std::string_view array) { return parse_array(array, mesh); };
  if (const auto type = read_or_refuse([&] { return read(text); }))
    expect_round_trip(*type, [&](const ArrayType& array) { return to_string(array, mesh); }, read);
}

void read_statement(std::string_view text, const Mesh& mesh) {
  const auto written = read_or_refuse([&] { return written_dtype(text, mesh); });
  const auto read = [&](std::string_view statement) { return parse_statement(statement, mesh); };
  const auto statement = read_or_refuse([&] { return read(text); });
  if (!statement) return;
  expect(written.has_value(), "a statement that can be read has a first array that can be read");
  expect_round_trip(*statement, [&](const Statement& value) { return to_string(value, mesh); }, read);
  if (const auto* product = std::get_if<Product>(&*statement)) index_roles(*product);
  ask([&] {
    check_sizes(*statement);
    use_sizes(*statement, mesh);
  });
}

}  // namespace
}  // namespace meshmul::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace meshmul;
  std::string_view text = fuzz::as_text(data, size);
  const std::optional<Mesh> mesh = fuzz::take_mesh(text);
  if (!mesh) return 0;
  fuzz::read_array(text, *mesh);
  fuzz::read_statement(text, *mesh);
  return 0;
}
