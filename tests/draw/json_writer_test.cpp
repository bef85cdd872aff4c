#include "draw/json_writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace meshmul::drawing {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonWriter, SetsCommasBetweenMembersAndValues) {
  JsonWriter json;
  json.begin_object().key("a").value(1).key("b").begin_array().value(-2).value("x").begin_array().end_array();
  json.end_array().key("c").begin_object().end_object().key("d").values({"p", "q"}).key("e").raw("1.5").end_object();
  EXPECT_EQ(json.text(), R"({"a":1,"b":[-2,"x",[]],"c":{},"d":["p","q"],"e":1.5})");
}

TEST(JsonWriter, WritesTheLargestNumbers) {
  JsonWriter json;
  json.begin_array().value(INT64_MAX).value(INT64_MIN).end_array();
  EXPECT_EQ(json.text(), "[9223372036854775807,-9223372036854775808]");
}

TEST(JsonWriter, EscapesWhatWouldEndAStringOrAScript) {
  EXPECT_EQ(json_string("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(json_string("</script><!--"), R"("\u003c/script>\u003c!--")");
  EXPECT_EQ(json_string("\n\t\x01\x7f"), R"("\u000a\u0009\u0001\u007f")");
}

TEST(JsonWriter, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(json_string("\u00e9\u2026\U0001F600"), "\"\u00e9\u2026\U0001F600\"");
  EXPECT_EQ(json_string("a\xFF"), R"("a\ufffd")");
  EXPECT_EQ(json_string("\xC3"), R"("\ufffd")");                                // cut short
  EXPECT_EQ(json_string("\xC0\xAF"), R"("\ufffd\ufffd")");                      // overlong
  EXPECT_EQ(json_string("\xED\xA0\x80"), R"("\ufffd\ufffd\ufffd")");            // a surrogate
  EXPECT_EQ(json_string("\xF4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")");  // above U+10FFFF
}

TEST(JsonWriter, EveryPairOfBytesIsReadBackAsValidText) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      EXPECT_TRUE(nlohmann::json::accept(json_string(text))) << first << " " << second;
    }
}

}  // namespace
}  // namespace meshmul::drawing
