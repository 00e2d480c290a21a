#pragma once
// Determines the length of a request body from its headers.

#include <cstddef>
#include <string>
#include <variant>

#include "accrete/serve/service.hpp"

namespace accrete::serve {

struct BodyHeaders {
  std::size_t lengths = 0;  ///< number of Content-Length headers
  std::string length = {}, transfer_encoding = {}, content_encoding = {};
};

/// The number of bytes to read, or an error reply for a body that is too large, of unknown length, or compressed.
std::variant<std::size_t, HttpReply> body_length(const BodyHeaders& headers, std::size_t max_body);

}  // namespace accrete::serve
