#pragma once
// The border that no exception crosses.

#include <cstddef>
#include <string_view>
#include <utility>

#include "accrete/c/accrete.h"

namespace accrete::c {

/// The caller's room for one line of text; it may be none.
struct ErrorText {
  char* room;
  std::size_t size;

  /// Cut to fit, between characters.
  void write(std::string_view text) const noexcept;
};

/// For use while an exception is handled: its text is written and its kind returned.
accrete_status caught(const ErrorText& error) noexcept;

template <class Work>
accrete_status guarded(const ErrorText& error, Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
    error.write("");
    return ACCRETE_OK;
  } catch (...) {
    return caught(error);
  }
}

/// Throws UsageError: "accrete_predict: x is NULL".
[[noreturn]] void refuse_null(const char* function, const char* name);

inline void require(const void* pointer, const char* function, const char* name) {
  if (!pointer) refuse_null(function, name);
}

}  // namespace accrete::c
