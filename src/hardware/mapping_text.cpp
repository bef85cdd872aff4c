// Mappings as text: `X=0+1,Y=2`, `X=ring(0+1)`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/did_you_mean.hpp"
#include "hardware/mapping_check.hpp"
#include "meshmul/error.hpp"
#include "meshmul/topology.hpp"
#include "notation/tokens.hpp"

namespace meshmul {
namespace {

using notation::Token;
using notation::TokenKind;
using notation::Tokens;

constexpr std::string_view kRing = "ring";

/// The tokens of one mesh axis, for carets.
struct Written {
  Token name;
  std::size_t end = 0;
  std::vector<Token> numbers;
};

class Parser {
 public:
  Parser(std::string_view text, const Mesh& mesh)
      : text_(text),
        tokens_(text),
        mesh_(mesh),
        mapping_{std::vector<AxisMapping>(mesh.axes().size())},
        written_(mesh.axes().size()) {}

  Mapping parse() {
    if (tokens_.peek().kind == TokenKind::kEnd) return mapping_;
    do parse_axis();
    while (tokens_.accept(","));
    if (tokens_.peek().kind != TokenKind::kEnd) tokens_.fail_expecting("`,` or the end");
    return mapping_;
  }

  [[noreturn]] void fail(const MappingFault& fault) const {
    TextPlace place{std::string(text_), 0, text_.size()};
    if (fault.mesh_axis) {
      const Written& written = written_[*fault.mesh_axis];
      if (written.numbers.empty())
        place.offset = text_.size(), place.length = 1;
      else if (fault.entry)
        place.offset = written.numbers[*fault.entry].offset, place.length = written.numbers[*fault.entry].text.size();
      else
        place.offset = written.name.offset, place.length = written.end - written.name.offset;
    }
    throw Error(ErrorCode::kInvalidArgument, fault.sentence, place);
  }

 private:
  void parse_axis() {
    const Token name = tokens_.peek();
    if (name.kind != TokenKind::kWord) tokens_.fail_expecting("a mesh axis, as in X=0+1");
    tokens_.take();
    const std::size_t axis = find_axis(name);
    Written& written = written_[axis];
    if (!written.numbers.empty()) tokens_.fail(name, fmt::format("mesh axis {} is mapped twice", name.text));
    written.name = name;
    tokens_.expect("=", fmt::format("`=` and the hardware axes of {}", name.text));
    mapping_.axes[axis].as_ring = tokens_.peek().text == kRing;
    if (mapping_.axes[axis].as_ring) {
      tokens_.take();
      tokens_.expect("(", "`(` and the hardware axes of the cycle");
    }
    parse_numbers(axis);
    if (mapping_.axes[axis].as_ring) {
      written.end = tokens_.peek().offset + 1;
      tokens_.expect(")", "`+` and a hardware axis, or `)`");
    }
  }

  void parse_numbers(std::size_t axis) {
    Written& written = written_[axis];
    do {
      const Token token = tokens_.peek();
      int number = 0;
      const auto [stop, status] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
      if (token.kind != TokenKind::kNumber || status != std::errc())
        tokens_.fail_expecting("the number of a hardware axis");
      tokens_.take();
      mapping_.axes[axis].hardware_axes.push_back(number);
      written.numbers.push_back(token);
      written.end = token.offset + token.text.size();
    } while (tokens_.accept("+"));
  }

  std::size_t find_axis(const Token& name) const {
    if (const std::optional<int> axis = mesh_.find(name.text)) return static_cast<std::size_t>(*axis);
    std::vector<std::string> names;
    for (const MeshAxis& axis : mesh_.axes()) names.push_back(axis.name);
    tokens_.fail(name,
                 fmt::format("the mesh {} has no axis {}{}", mesh_.str(), name.text, did_you_mean(name.text, names)));
  }

  std::string_view text_;
  Tokens tokens_;
  const Mesh& mesh_;
  Mapping mapping_;
  std::vector<Written> written_;
};

}  // namespace

Mapping parse_mapping(std::string_view text, const Mesh& mesh, const Hardware& hardware, TopologyRule rule) {
  Parser parser(text, mesh);
  Mapping mapping = parser.parse();
  const Slice slice = slice_to_map(mesh, hardware);
  if (const auto fault = find_fault(mapping, mesh, slice, hardware, rule)) parser.fail(*fault);
  return mapping;
}

std::string to_string(const Mapping& mapping, const Mesh& mesh) {
  std::string text;
  for (std::size_t axis = 0; axis < mapping.axes.size(); ++axis) {
    const AxisMapping& part = mapping.axes[axis];
    if (part.hardware_axes.empty()) continue;
    const std::string numbers = fmt::format("{}", fmt::join(part.hardware_axes, "+"));
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", mesh.axes()[axis].name,
                        part.as_ring ? fmt::format("{}({})", kRing, numbers) : numbers);
  }
  return text;
}

}  // namespace meshmul
