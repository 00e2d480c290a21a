#pragma once
// How long the body of a request is, from its headers.

#include <cstddef>
#include <string>
#include <variant>

#include "accrete/serve/service.hpp"

namespace accrete::serve {

struct BodyHeaders {
  std::size_t lengths = 0;  ///< headers Content-Length
  std::string length = {}, transfer_encoding = {}, content_encoding = {};
};

/// The bytes to read, or the refusal of a body that is too large, has no clear end, or is compressed.
std::variant<std::size_t, HttpReply> body_length(const BodyHeaders& headers, std::size_t max_body);

}  // namespace accrete::serve
