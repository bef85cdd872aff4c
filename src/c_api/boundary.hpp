#pragma once
// Where exceptions end: nothing may be thrown through a function that C calls.

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "meshmul/c_api.h"
#include "meshmul/error.hpp"

namespace meshmul::c_api {

/// Keeps `sentence` for `meshmul_last_error`, and returns `status`.
meshmul_status fail(meshmul_status status, const char* sentence) noexcept;

meshmul_status status_of(ErrorCode code);

/// Whatever `action` throws becomes a status and a sentence.
template <class Action>
meshmul_status guarded(Action&& action) noexcept {
  try {
    action();
    return MESHMUL_OK;
  } catch (const Error& error) {
    return fail(status_of(error.code()), error.report().c_str());
  } catch (const std::bad_alloc&) {
    return fail(MESHMUL_FAILED, "out of memory");
  } catch (const std::exception& error) {
    return fail(MESHMUL_FAILED, error.what());
  }
}

/// Throws Error(kInvalidArgument) that names the argument if `pointer` is null.
template <class Type>
Type& required(Type* pointer, std::string_view name) {
  if (pointer == nullptr) throw Error(ErrorCode::kInvalidArgument, std::string(name) + " is null");
  return *pointer;
}

/// The same of a text.
inline std::string required_text(const char* text, std::string_view name) { return &required(text, name); }

}  // namespace meshmul::c_api
