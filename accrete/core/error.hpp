#pragma once
// The exceptions of the library. It throws these and std::bad_alloc; it never prints or exits.

#include <memory>
#include <stdexcept>
#include <utility>

#include "accrete/core/message.hpp"

namespace accrete::core {

/// The base of all errors. The message is one line that says what was given, what is allowed, and where.
class Error : public std::runtime_error {
 public:
  /// Plain text converts to a Message.
  explicit Error(Message message)
      : std::runtime_error(message.text()), message_(std::make_shared<const Message>(std::move(message))) {}

  /// what() uses the library's parameter names; a front end renders this message with its own spelling.
  const Message& message() const { return *message_; }

 private:
  std::shared_ptr<const Message> message_;  // shared because copying an exception must not throw
};

/// A wrong argument: an unknown name, a value outside its range, a prefix beyond the model.
class UsageError : public Error {
 public:
  using Error::Error;

  /// "units 0: must be at least 1"
  UsageError(ParameterReference given, const Message& rule)
      : Error(Message(std::move(given)) += Message(": ") += rule) {}
};

/// Wrong data: a ragged row, a constant target, an infinity. The message names file, row and column.
class DataError : public Error {
 public:
  using Error::Error;
};

/// A fit whose loss became infinite or NaN. There is no model for these parameters.
class Diverged : public DataError {
 public:
  using DataError::DataError;
};

/// A file that cannot be read, written or trusted.
class FileError : public Error {
 public:
  using Error::Error;
};

}  // namespace accrete::core
