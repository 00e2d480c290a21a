#pragma once
// Work that may fail on one rank only, such as reading its files: all ranks learn of it, so that none waits for ever.

#include <cstddef>
#include <functional>

#include "accrete/comm/communicator.hpp"

namespace accrete::comm {

/// Runs the work of this rank, which calls no verb. If it throws on any rank, all ranks throw the error of the lowest
/// such rank; its message names the rank unless all ranks failed alike. With `rows`, which returns the
/// number of rows of a rank whose work succeeded, row numbers in the message count from the first row of rank 0.
void agree(Communicator& comm, const std::function<void()>& work, const std::function<std::size_t()>& rows = {});

/// Runs the work on rank 0 alone, such as writing a file; all ranks throw what it throws.
void run_on_first(Communicator& comm, const std::function<void()>& work);

/// Throws core::Error on all ranks unless they run the same version of accrete with the same instruction set: others
/// round differently.
void require_same_program(Communicator& comm);

}  // namespace accrete::comm
