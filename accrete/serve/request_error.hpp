#pragma once
// An error that is reported to the client.

#include <string>

#include "accrete/core/error.hpp"

namespace accrete::serve {

/// The message is the text of the reply, `status` its HTTP status. Messages quote client input, so control characters
/// are replaced by spaces and long text is cut.
class RequestError : public core::Error {
 public:
  RequestError(int status, const std::string& message);
  explicit RequestError(const std::string& message) : RequestError(400, message) {}

  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace accrete::serve
