#pragma once
// A request that is refused.

#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::serve {

/// The message is the text of the reply, the status its HTTP status.
class RequestError : public core::Error {
 public:
  RequestError(int status, core::Message message) : core::Error(std::move(message)), status_(status) {}
  explicit RequestError(core::Message message) : RequestError(400, std::move(message)) {}

  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace accrete::serve
