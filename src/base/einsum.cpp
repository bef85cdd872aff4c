#include "base/einsum.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"

namespace meshmul {

Einsum parse_einsum(std::string_view text) {
  const auto fail = [&](std::size_t offset, const std::string& sentence) {
    throw Error(ErrorCode::kInvalidArgument, sentence, TextPlace{std::string(text), offset, 1});
  };
  const std::size_t comma = text.find(',');
  const std::size_t arrow = text.find("->");
  if (comma == std::string_view::npos || arrow == std::string_view::npos || arrow < comma)
    fail(0, fmt::format("einsum '{}' is not of the form 'ij,jk->ik'", text));
  const Einsum einsum{std::string(text.substr(0, comma)), std::string(text.substr(comma + 1, arrow - comma - 1)),
                      std::string(text.substr(arrow + 2))};
  const auto check_letters = [&](const std::string& letters, std::size_t offset) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const char c = letters[i];
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
        fail(offset + i, fmt::format("'{}' in an einsum is not a letter", c));
      if (letters.find(c) < i) fail(offset + i, fmt::format("index {} stands twice in '{}'", c, letters));
    }
  };
  check_letters(einsum.a, 0);
  check_letters(einsum.b, comma + 1);
  check_letters(einsum.c, arrow + 2);
  const auto has = [](const std::string& letters, char c) { return letters.find(c) != std::string::npos; };
  for (std::size_t i = 0; i < einsum.c.size(); ++i)
    if (!has(einsum.a, einsum.c[i]) && !has(einsum.b, einsum.c[i]))
      fail(arrow + 2 + i, fmt::format("output index {} is in no input", einsum.c[i]));
  for (std::size_t i = 0; i < einsum.a.size(); ++i)
    if (!has(einsum.b, einsum.a[i]) && !has(einsum.c, einsum.a[i]))
      fail(i, fmt::format("index {} is in one input alone, so it must be in the output", einsum.a[i]));
  for (std::size_t i = 0; i < einsum.b.size(); ++i)
    if (!has(einsum.a, einsum.b[i]) && !has(einsum.c, einsum.b[i]))
      fail(comma + 1 + i, fmt::format("index {} is in one input alone, so it must be in the output", einsum.b[i]));
  return einsum;
}

}  // namespace meshmul
