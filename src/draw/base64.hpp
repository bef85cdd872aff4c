#pragma once
// Base64, in which a content security policy writes hashes.

#include <string>
#include <string_view>

namespace meshmul::drawing {

/// Of the bytes that pairs of hexadecimal digits, of either case, stand for.
std::string base64_of_hexadecimal(std::string_view digits);

}  // namespace meshmul::drawing
