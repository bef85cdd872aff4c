#pragma once
// The JSON text in the header of a .safetensors file, of which the format allows less than JSON does.

#include <nlohmann/json.hpp>
#include <string>

namespace meshmul {

/// Reads the text of a header, an object. Nothing in it may be nested deeper than {tensor: {shape: [extent]}}, no key may
/// stand twice in an object, and `__metadata__`, where there is one, is an object of strings. `file` is named in errors.
/// Throws Error(kInvalidArgument), with the place where JSON ends to be JSON.
nlohmann::json parse_safetensors_json(const std::string& text, const std::string& file);

/// The key of the header that is no tensor.
inline constexpr const char* kSafetensorsMetadata = "__metadata__";

/// A value as JSON text; what is not UTF-8 in it becomes U+FFFD.
std::string json_text(const nlohmann::json& value);

}  // namespace meshmul
