#include "accrete/serve/body_length.hpp"

#include <charconv>

#include <fmt/format.h>

namespace accrete::serve {

std::variant<std::size_t, HttpReply> body_length(const BodyHeaders& headers, std::size_t max_body) {
  if (!headers.transfer_encoding.empty())
    return error_reply(411, "Transfer-Encoding is not supported; send Content-Length");
  if (headers.lengths == 0) return std::size_t{0};
  const std::string& text = headers.length;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (headers.lengths > 1 || error != std::errc{} || end != text.data() + text.size())
    return error_reply(400, "Content-Length must be one number");
  if (length > max_body)
    return error_reply(413, fmt::format("the body has {} bytes; at most {} are allowed", length, max_body));
  if (!headers.content_encoding.empty() && headers.content_encoding != "identity")
    return error_reply(415, fmt::format("Content-Encoding {} is not supported", headers.content_encoding));
  return length;
}

}  // namespace accrete::serve
