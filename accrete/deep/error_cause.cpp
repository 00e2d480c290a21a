#include "accrete/deep/error_cause.hpp"

#include <c10/util/Exception.h>

#include <string_view>

namespace accrete::deep {

std::string error_cause(const std::exception& error) {
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  std::string_view text = torch_error ? torch_error->what_without_backtrace() : error.what();
  const auto end = text.find_last_not_of(" \n");
  if (end == std::string_view::npos) return "unknown error";
  text = text.substr(0, end + 1);
  if (const auto line = text.rfind('\n'); line != std::string_view::npos) text = text.substr(line + 1);
  for (const std::string_view kind : {"RuntimeError: ", "AssertionError: ", "builtins.RuntimeError: "})
    if (text.starts_with(kind)) text = text.substr(kind.size());
  return std::string(text);
}

}  // namespace accrete::deep
