#include "draw/base64.hpp"

#include <cassert>

namespace meshmul::drawing {
namespace {

unsigned digit(char c) {
  assert((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
  return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

}  // namespace

std::string base64_of_hexadecimal(std::string_view digits) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string base64;
  unsigned bits = 0;  // not yet written
  int num_bits = 0;
  for (const char c : digits) {
    bits = bits << 4 | digit(c);
    num_bits += 4;
    if (num_bits < 6) continue;
    num_bits -= 6;
    base64 += kAlphabet[bits >> num_bits & 0x3F];
  }
  if (num_bits > 0) base64 += kAlphabet[bits << (6 - num_bits) & 0x3F];
  while (base64.size() % 4 != 0) base64 += '=';
  return base64;
}

}  // namespace meshmul::drawing
