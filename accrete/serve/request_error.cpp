#include "accrete/serve/request_error.hpp"

#include <cstddef>

#include "accrete/core/escape.hpp"

namespace accrete::serve {
namespace {

constexpr std::size_t max_message_bytes = 1000;

}  // namespace

RequestError::RequestError(int status, const std::string& message)
    : core::Error(core::shorten(core::escape_controls(message), max_message_bytes)), status_(status) {}

}  // namespace accrete::serve
