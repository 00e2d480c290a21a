#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <typeinfo>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete {

/// The message of the error of class Error, or a class derived from it, that `act` throws. If it throws nothing or an
/// error of another class, the test fails at the line of the call, and the message is "".
template <class Error = core::Error, class Act>
std::string thrown_message(Act&& act, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const char* const expected = typeid(Error).name();
  try {
    std::forward<Act>(act)();
    ADD_FAILURE_AT(file, line) << "nothing was thrown; expected " << expected;
  } catch (const std::exception& error) {
    const std::exception* const thrown = &error;
    if (dynamic_cast<const Error*>(thrown)) return error.what();
    ADD_FAILURE_AT(file, line) << "expected " << expected << ", not " << typeid(error).name() << ": " << error.what();
  }
  return "";
}

}  // namespace accrete
