#pragma once
// The fuzz targets. A target reads bytes that somebody else chose and throws if accrete does something wrong with them.
//
// `./dev fuzz NAME` searches for such bytes with libFuzzer. The cases in tests/fuzz/cases/NAME run in the unit tests.

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Target {
  const char* name;
  const char* reads;  ///< what the bytes are
  void (*run)(Bytes);
};

/// All targets.
std::span<const Target> targets();

/// A finding.
struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& rule) {
  if (!holds) throw Finding(rule);
}

inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Takes the first byte; 0 if there is none.
inline std::uint8_t take_byte(Bytes& bytes) {
  if (bytes.empty()) return 0;
  const std::uint8_t first = bytes.front();
  bytes = bytes.subspan(1);
  return first;
}

/// Runs `read` and returns the message of the library's own error, "" if there was none. Other exceptions pass.
template <class Read>
std::string refusal(Read&& read) {
  try {
    std::forward<Read>(read)();
  } catch (const core::Error& error) {
    const std::string message = error.what();
    require(!message.empty(), "an error has a message");
    require(message.find('\n') == message.npos, "an error is one line: " + message);
    require(message.size() < 2000, "an error is short");
    return message;
  }
  return "";
}

void fuzz_csv(Bytes bytes);
void fuzz_svmlight(Bytes bytes);
void fuzz_columns(Bytes bytes);
void fuzz_grid(Bytes bytes);
void fuzz_config(Bytes bytes);
void fuzz_model(Bytes bytes);
void fuzz_c_api(Bytes bytes);
void fuzz_backend(Bytes bytes);
void fuzz_idx(Bytes bytes);
void fuzz_cifar(Bytes bytes);
void fuzz_png(Bytes bytes);      ///< only with libpng
void fuzz_request(Bytes bytes);  ///< only with the server

}  // namespace accrete::fuzz
