// The Python literal in the header of a .npy file. Only what numpy writes there is understood: one dict of a string, a
// truth value and a tuple of whole numbers.

#include <fmt/format.h>

#include <optional>

#include "meshmul/error.hpp"
#include "npy_header.hpp"

namespace meshmul {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class FieldsParser {
 public:
  FieldsParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  NpyFields parse() {
    expect('{');
    while (!accept('}')) {
      parse_field();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) fail("the end of the header");
    if (!descr_) fail("a key 'descr'");
    if (!fortran_order_) fail("a key 'fortran_order'");
    if (!shape_) fail("a key 'shape'");
    return {*descr_, *fortran_order_, *shape_};
  }

 private:
  void parse_field() {
    skip_space();
    const std::size_t begin = at_;
    const std::string key = parse_string();
    expect(':');
    const auto set = [&](auto& field, auto value) {
      if (field) {
        at_ = begin;
        fail(fmt::format("key '{}' only once", key));
      }
      field = std::move(value);
    };
    if (key == "descr") {
      set(descr_, parse_descr());
    } else if (key == "fortran_order") {
      set(fortran_order_, parse_truth());
    } else if (key == "shape") {
      set(shape_, parse_shape());
    } else {
      at_ = begin;
      fail("one of the keys 'descr', 'fortran_order' and 'shape'");
    }
  }

  std::string parse_descr() {
    skip_space();
    if (peek() == '[')
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{}: its elements have named fields; expected plain numbers", file_));
    return parse_string();
  }

  std::string parse_string() {
    skip_space();
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a string");
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\') fail("a string without a backslash");
      ++at_;
    }
    if (at_ == text_.size()) fail("the end of a string");
    return std::string(text_.substr(begin, at_++ - begin));
  }

  bool parse_truth() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return value;
    }
    fail("True or False");
  }

  Shape parse_shape() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(parse_extent());
      if (accept(',')) continue;
      if (shape.size() == 1) fail("a comma, as in '(3,)'");  // (3) is a number, not a tuple
      expect(')');
      break;
    }
    return shape;
  }

  std::int64_t parse_extent() {
    skip_space();
    if (!is_digit(peek())) fail("a size");
    const std::size_t begin = at_;
    std::int64_t extent = 0;
    while (is_digit(peek())) {
      if (extent > (std::int64_t{1} << 62) / 10) {
        at_ = begin;
        fail("a size below 2^62");
      }
      extent = extent * 10 + (text_[at_++] - '0');
    }
    return extent;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  /// The character here, or 0 at the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool accept(char c) {
    skip_space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}'", c));
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: its header is wrong at character {}; expected {}", file_, at_, expected),
                TextPlace{std::string(text_), at_, 1});
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<Shape> shape_;
};

}  // namespace

NpyFields parse_npy_fields(std::string_view text, const std::string& file) { return FieldsParser(text, file).parse(); }

}  // namespace meshmul
