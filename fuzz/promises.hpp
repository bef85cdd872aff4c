#pragma once
// What every fuzzer asks of the code under test: an input is read, or refused with an Error that can be shown; what was
// read prints, and the print is read back as the same. A promise that is broken ends the program, which libFuzzer records
// as a finding.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "meshmul/error.hpp"

namespace meshmul::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// `promise` says what holds, `seen` what was seen instead.
inline void expect(bool holds, std::string_view promise, std::string_view seen = "") {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %.*s\n%.*s\n", static_cast<int>(promise.size()), promise.data(),
               static_cast<int>(seen.size()), seen.data());
  std::abort();
}

inline void expect_can_be_shown(const Error& error) {
  const std::string_view sentence = error.what();
  constexpr std::size_t kLongest = 4000;
  expect(!sentence.empty() && error.report().size() < kLongest, "an error has a sentence of a size to be read",
         sentence);
  if (error.place()) expect(error.place()->offset <= error.place()->text.size(), "a place lies in its text", sentence);
  expect(error.report().ends_with(sentence), "a report ends with the sentence", error.report());
}

/// What `read` returns, or nothing if it refuses the input as wrong.
template <class Read>
auto read_or_refuse(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    expect(error.code() == ErrorCode::kInvalidArgument, "what is refused is called wrong", error.what());
    expect_can_be_shown(error);
    return std::nullopt;
  }
}

/// Asks something that may be refused.
template <class Question>
void ask(const Question& question) {
  read_or_refuse([&] {
    question();
    return true;
  });
}

/// `print` and `read` are inverse. That the print of a value is refused is a finding too, so errors are not caught here.
template <class Value, class Print, class Read>
void expect_round_trip(const Value& value, const Print& print, const Read& read) {
  const std::string text = print(value);
  const Value again = read(text);
  expect(again == value, "what is printed is read back as the same", text + "\n" + print(again));
  expect(print(again) == text, "what is read back prints alike", text + "\n" + print(again));
}

}  // namespace meshmul::fuzz
