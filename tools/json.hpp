#pragma once
// JSON as the verbs print it.

#include <nlohmann/json.hpp>
#include <string>

namespace meshmul::cli {

/// Keeps the order in which members are written.
using Json = nlohmann::ordered_json;

/// Indented, with a newline at the end. Bytes that are not UTF-8, as a file's name may have, become U+FFFD.
inline std::string to_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace meshmul::cli
