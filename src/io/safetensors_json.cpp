#include "safetensors_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& file, const std::string& sentence) {
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", file, sentence));
}

/// `at` is an offset in the text.
[[noreturn]] void fail_at(const std::string& text, std::size_t at, const std::string& file,
                          const std::string& expected) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{}: its header is wrong at character {}; expected {}", file, at, expected),
              TextPlace{text, at, 1});
}

/// Refuses what is nested too deeply, and keys that stand twice, while they are read: before memory is taken for them.
class DepthAndKeys {
 public:
  explicit DepthAndKeys(const std::string& file) : file_(file) {}

  bool operator()(int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth >= kMaxDepth) fail(file_, "has a header that is nested too deeply");
    if (opens) keys_[static_cast<std::size_t>(depth + 1)].clear();
    if (event == Event::key && !keys_[static_cast<std::size_t>(depth)].insert(value.get<std::string>()).second)
      fail(file_, fmt::format("has a header in which the key {} stands twice", value.get<std::string>()));
    return true;
  }

 private:
  static constexpr int kMaxDepth = 3;
  const std::string& file_;
  std::array<std::set<std::string>, kMaxDepth + 1> keys_;  ///< of the open object of each depth
};

Json parse(const std::string& text, const std::string& file) {
  // The parser would take a NUL for the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos) fail_at(text, nul, file, "no NUL");
  if (!text.starts_with('{')) fail_at(text, 0, file, "'{' and a JSON object");
  try {
    return Json::parse(text, DepthAndKeys(file));
  } catch (const Json::parse_error& error) {
    // `byte` counts what was read, the character at fault included.
    fail_at(text, std::min(error.byte - std::min<std::size_t>(error.byte, 1), text.size()), file, "JSON");
  } catch (const Json::out_of_range&) {
    fail(file, "has a number in its header that is out of range");
  }
}

void check_metadata(const Json& metadata, const std::string& file) {
  if (!metadata.is_object())
    fail(file, fmt::format("has {} as {}; expected an object of strings", json_text(metadata), kSafetensorsMetadata));
  for (const auto& [key, value] : metadata.items())
    if (!value.is_string())
      fail(file, fmt::format("has {} as {} in {}; expected a string", json_text(value), key, kSafetensorsMetadata));
}

}  // namespace

Json parse_safetensors_json(const std::string& text, const std::string& file) {
  Json header = parse(text, file);
  if (const auto metadata = header.find(kSafetensorsMetadata); metadata != header.end())
    check_metadata(*metadata, file);
  return header;
}

std::string json_text(const Json& value) { return value.dump(-1, ' ', true, Json::error_handler_t::replace); }

}  // namespace meshmul
