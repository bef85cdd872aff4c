#pragma once
// The report of the Error that something throws, for tests that hold messages by their text.

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

}  // namespace meshmul::testing
