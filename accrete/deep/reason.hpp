#pragma once
// What libtorch says when something fails, in one line.

#include <exception>
#include <string>

namespace accrete::deep {

/// The last line of the message without its trace: TorchScript says first where, and what at the end.
std::string reason(const std::exception& error);

}  // namespace accrete::deep
