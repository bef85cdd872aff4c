#pragma once
// Writes JSON from front to back, without a tree: what is drawn can have millions of numbers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshmul::drawing {

/// Appends `text` as a JSON string with its quotes. `<` is escaped too, so that the result can stand in a page, and bytes
/// that are no UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

/// Commas are its own. Calls pair up as the brackets of the document do.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  /// `name` is written as it stands: it has nothing to escape.
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(std::string_view text);
  JsonWriter& values(const std::vector<std::string>& texts);
  /// `json` is a value already.
  JsonWriter& raw(std::string_view json);
  /// In front of a value and its comma: for whoever reads or greps the text.
  void line_break() { text_ += '\n'; }

  std::string& text() { return text_; }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void comma();

  std::string text_;
  bool first_ = true;  ///< of its object or array, or after a key
};

}  // namespace meshmul::drawing
