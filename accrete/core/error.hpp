#pragma once
// What goes wrong, by whose hand. The library throws these and nothing else of its own; it never prints or exits.

#include <stdexcept>
#include <string>

namespace accrete::core {

/// Something given or found cannot be worked with. The message is one line that says what, where, and the rule.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The caller's words are wrong: an unknown name, a value outside its range, a prefix beyond the model.
struct UsageError : Error {
  using Error::Error;
};

/// The data is wrong: a ragged row, a constant target, an infinity. The message names file, row and column.
struct DataError : Error {
  using Error::Error;
};

/// A fit whose loss grew beyond all numbers: with these parameters there is no model.
struct Diverged : DataError {
  using DataError::DataError;
};

/// A file cannot be read, written or trusted.
struct FileError : Error {
  using Error::Error;
};

}  // namespace accrete::core
