#pragma once
// Turns exceptions into status codes at the C boundary.

#include <cstddef>
#include <string_view>
#include <utility>

#include "accrete/c/accrete.h"

namespace accrete::c {

/// The caller's buffer for one line of text, or null.
struct ErrorBuffer {
  char* text;
  std::size_t size;

  /// Truncates between UTF-8 characters.
  void write(std::string_view message) const noexcept;
};

/// In a catch block: writes the message of the current exception and returns its status.
accrete_status report_exception(const ErrorBuffer& error) noexcept;

template <class Work>
accrete_status guarded(const ErrorBuffer& error, Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
    error.write("");
    return ACCRETE_OK;
  } catch (...) {
    return report_exception(error);
  }
}

/// Throws UsageError: "accrete_predict: x is NULL".
[[noreturn]] void refuse_null(const char* function, const char* name);

inline void require(const void* pointer, const char* function, const char* name) {
  if (!pointer) refuse_null(function, name);
}

}  // namespace accrete::c
