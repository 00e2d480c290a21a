#pragma once
// A request that is refused.

#include <string>

#include "accrete/core/error.hpp"

namespace accrete::serve {

/// The message is the text of the reply, the status its HTTP status. Messages quote what a client sent, so control
/// characters become spaces, and a long text is cut.
class RequestError : public core::Error {
 public:
  RequestError(int status, const std::string& message);
  explicit RequestError(const std::string& message) : RequestError(400, message) {}

  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace accrete::serve
