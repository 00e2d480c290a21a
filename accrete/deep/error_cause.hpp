#pragma once
// Extracts the cause from libtorch's errors.

#include <exception>
#include <string>

namespace accrete::deep {

/// The last line of the message without its trace: TorchScript prints the location first and the cause last.
std::string error_cause(const std::exception& error);

}  // namespace accrete::deep
