#pragma once
// What the Error that something throws says, for tests that hold messages by their text.

#include <string>

#include "meshmul/error.hpp"

namespace meshmul::testing {

/// `Error::report()` of what `action` throws, or "no error".
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.report();
  }
  return "no error";
}

/// Its sentence alone, without the place.
template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace meshmul::testing
